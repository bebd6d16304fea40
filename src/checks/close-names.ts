/** What somebody may have meant who wrote a name that there is not. */

/** Up to five of the names, those that the wanted one may have meant: same letters otherwise written, or few typing errors. */
export function closeNames(wanted: string, names: readonly string[]): string[] {
  const folded = fold(wanted);
  const tolerated = Math.min(3, Math.ceil(folded.length / 4));
  return names
    .map((name) => ({ name, distance: editDistance(folded, fold(name), tolerated) }))
    .filter(({ distance }) => distance <= tolerated)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ name }) => name);
}

/** Same letters, in another case or another form of Unicode. */
export const isLookAlike = (a: string, b: string): boolean => fold(a) === fold(b);

const fold = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Insertions, deletions and replacements between two texts; Infinity where the lengths alone differ by more than `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
