/** List prices of the service, as published. Batch, priority, regional and other surcharges or rebates are not in it. */

/** USD for a million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Input that is kept for five minutes, and for an hour. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
}

export interface Price extends Rates {
  /** What a request costs, the reply included, whose prompt has more tokens than this. */
  readonly above?: Rates & { readonly promptTokens: number };
}

/** By model id, without a date at its end. */
export type Prices = ReadonlyMap<string, Price>;

export const PRICES_AS_OF = '2026-11-30';

const rates = (
  input: number,
  output: number,
  cacheWrite5m: number,
  cacheWrite1h: number,
  cacheRead: number,
): Rates => ({ input, output, cacheWrite5m, cacheWrite1h, cacheRead });

const FABLE_5 = rates(10, 50, 12.5, 20, 1);
const FABLE_5_1 = rates(10, 50, 12.5, 20, 0.25);
const FABLE_5_2 = rates(8, 40, 10, 16, 0.2);
const OPUS = rates(5, 25, 6.25, 10, 0.5);
const SONNET_4 = rates(3, 15, 3.75, 6, 0.3);

export const LIST_PRICES: Prices = new Map<string, Price>([
  ['claude-fable-5', FABLE_5],
  ['claude-fable-5-1', FABLE_5_1],
  ['claude-fable-5-2', FABLE_5_2],
  ['claude-mythos-5', FABLE_5],
  ['claude-mythos-5-1', FABLE_5_1],
  ['claude-mythos-5-2', FABLE_5_2],
  ['claude-opus-4-5', OPUS],
  ['claude-opus-4-6', OPUS],
  ['claude-opus-4-7', OPUS],
  ['claude-opus-4-8', OPUS],
  ['claude-opus-5', OPUS],
  ['claude-opus-5-5', rates(4, 20, 5, 8, 0.2)],
  ['claude-sonnet-4-5', SONNET_4],
  ['claude-sonnet-4-6', SONNET_4],
  ['claude-sonnet-5', rates(2, 10, 2.5, 4, 0.2)],
  ['claude-sonnet-5-5', rates(2, 10, 2.5, 4, 0.1)],
  ['claude-haiku-4-5', rates(1, 5, 1.25, 2, 0.1)],
  [
    'claude-haiku-5-5',
    {
      ...rates(0.1, 0.5, 0.125, 0.2, 0.01),
      above: { promptTokens: 100_000, ...rates(0.5, 2.5, 0.625, 1, 0.05) },
    },
  ],
]);
