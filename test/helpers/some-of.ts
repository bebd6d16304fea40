/**
 * For tests that take a part of what a long test takes all of.
 * @param every 1: all of them; 3: each third
 * @param offset which one comes first; who gives different ones sees all kinds
 * @returns the places of some, of one at least
 */
export function someOf(all: readonly unknown[], every: number, offset: number): number[] {
  const step = Math.min(every, all.length);
  return [...all.keys()].filter((at) => (at + offset) % step === 0);
}
