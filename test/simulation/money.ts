/** What the simulated service charges, by sums of the simulation's own: whole numbers, in ten-millionths of a dollar. */
import type { Usage } from '../../machines/protocol.ts';
import type { Prices } from '../../src/budget/price-list.ts';

/** The one that is asked, and the one that is asked instead where it refuses. */
export const MODEL = 'a-model';
export const OTHER_MODEL = 'another-model';

/** Of a token; a model costs so many times as much. Nothing is dearer to read than what is kept. */
const UNITS = { input: 20, cacheWrite: 25, cacheRead: 2, output: 100 };
const TIMES: Readonly<Record<string, number>> = { [MODEL]: 1, [OTHER_MODEL]: 3 };

const rates = (times: number) => ({
  input: 2 * times,
  output: 10 * times,
  cacheWrite5m: 2.5 * times,
  cacheWrite1h: 4 * times,
  cacheRead: 0.2 * times,
});

export const PRICES: Prices = new Map(Object.entries(TIMES).map(([model, times]) => [model, rates(times)]));

export function unitsOf(model: string, usage: Usage): number {
  const { input, cacheWrite, cacheRead, output } = usage;
  const sum =
    input * UNITS.input + cacheWrite * UNITS.cacheWrite + cacheRead * UNITS.cacheRead + output * UNITS.output;
  return sum * (TIMES[model] ?? Number.NaN);
}

/**
 * What the service charges in the end, for replies that nobody heard too. Between what it had said of a reply and all that
 * was asked for, chance decides.
 */
export class Bill {
  #units = 0;
  /** From the beginning there was a cap on money: what is asked for without one is not foreseen. */
  isCapped = true;

  get units(): number {
    return this.#units;
  }

  charge(units: number): void {
    this.#units += units;
  }
}

export const inUnits = (usd: number): number => Math.round(usd * 1e9) / 100;
