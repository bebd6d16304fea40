/** Patterns over sequences: the words of a command, the names in a path. Bounded work, whatever the pattern. */

/** In a pattern, any number of items, none included. */
export const MANY: unique symbol = Symbol('any number of items');
/** In what is compared: items that nobody knows before the call runs, any number of them. */
export const UNKNOWN: unique symbol = Symbol('unknown items');

export type Pattern = readonly (string | typeof MANY)[];
export type Items = readonly (string | typeof UNKNOWN)[];
export type Match = 'yes' | 'maybe' | 'no';

export type Fits = (pattern: string, item: string) => boolean;

/** `maybe` where it depends on what is unknown. */
export function matchItems(pattern: Pattern, items: Items, fits: Fits): Match {
  if (covers(pattern, items, fits, false)) return 'yes';
  return items.includes(UNKNOWN) && covers(pattern, items, fits, true) ? 'maybe' : 'no';
}

/** @param isGenerous unknown items are taken for whatever the pattern wants; else only MANY covers them */
function covers(pattern: Pattern, items: Items, fits: Fits, isGenerous: boolean): boolean {
  // rest[at]: whether the pattern from here on covers the items from `at` on; filled from the end.
  let rest = items.map(() => false).concat(true);
  if (isGenerous) for (let at = items.length - 1; at >= 0 && items[at] === UNKNOWN; at -= 1) rest[at] = true;
  for (const wanted of [...pattern].reverse()) {
    const row = items.map(() => false).concat(wanted === MANY && rest[items.length] === true);
    for (let at = items.length - 1; at >= 0; at -= 1) {
      const item = items[at];
      const next = rest[at + 1] === true;
      const skipped = row[at + 1] === true;
      if (wanted === MANY) row[at] = rest[at] === true || skipped;
      else if (item === UNKNOWN) row[at] = isGenerous && (skipped || rest[at] === true);
      else row[at] = next && fits(wanted, item as string);
    }
    rest = row;
  }
  return rest[0] === true;
}

/** Whether a text fits a pattern in which `*` stands for any characters, and `any` (if given) for one. */
export function fitsText(pattern: string, text: string, any?: string): boolean {
  let [at, from] = [0, 0];
  let star = -1;
  let resumed = 0;
  while (at < text.length) {
    if (pattern[from] === '*') {
      star = from;
      resumed = at;
      from += 1;
    } else if (from < pattern.length && (pattern[from] === text[at] || pattern[from] === any)) {
      from += 1;
      at += 1;
    } else if (star >= 0) {
      resumed += 1;
      at = resumed;
      from = star + 1;
    } else return false;
  }
  while (pattern[from] === '*') from += 1;
  return from === pattern.length;
}
