/** What repeated runs of a task say of it. Pure. */

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** At least one of k runs passes (`some`), and all of k do (`every`): unbiased estimates, and the 95 % intervals of the true values. */
export interface PassFigures {
  readonly k: number;
  readonly some: number;
  readonly someInterval: Interval;
  readonly every: number;
  readonly everyInterval: Interval;
}

/** The share of all choices of k out of n that lie within c of them: C(c, k) / C(n, k), without large numbers. */
function shareOfChoices(c: number, n: number, k: number): number {
  let share = 1;
  for (let at = 0; at < k; at += 1) share *= Math.max(0, c - at) / (n - at);
  return share;
}

/** @param k at most n */
export const passAtK = (n: number, passed: number, k: number): number => 1 - shareOfChoices(n - passed, n, k);

/** @param k at most n */
export const passHatK = (n: number, passed: number, k: number): number => shareOfChoices(passed, n, k);

/** Of the standard normal distribution, for 95 %. */
const Z = 1.959963984540054;

/** Wilson's interval of a share: unlike the usual one it is of use with few runs, and where none or all have passed. */
export function wilson(n: number, passed: number): Interval {
  const share = passed / n;
  const middle = share + Z ** 2 / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  const whole = 1 + Z ** 2 / n;
  // At the edges the formula comes to 0 or 1 but for what binary fractions add.
  const low = passed === 0 ? 0 : (middle - half) / whole;
  const high = passed === n ? 1 : (middle + half) / whole;
  return { low, high };
}

/** Both grow with the share of runs that pass, so their intervals follow from its interval. */
export function passFigures(n: number, passed: number, k: number): PassFigures {
  const { low, high } = wilson(n, passed);
  return {
    k,
    some: passAtK(n, passed, k),
    someInterval: { low: 1 - (1 - low) ** k, high: 1 - (1 - high) ** k },
    every: passHatK(n, passed, k),
    everyInterval: { low: low ** k, high: high ** k },
  };
}

/** The values of k that are told: 1, 2, 3, 5, 10, 20, 50 … as far as there are runs. */
export const kValues = (n: number): number[] =>
  [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000].filter((k) => k <= n);

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** null: there are no values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (place: number) => sorted[place] ?? 0;
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return {
    min: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    max: at(sorted.length - 1),
  };
}

/** How often there is what, the most frequent first. */
export function histogramOf(words: readonly string[]): [word: string, count: number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}
