/** What replies cost. Amounts are USD as numbers, exact to a billionth. */
import { addUsd } from '../../machines/budget.ts';
import type { AssistantMessage, Usage } from '../../machines/protocol.ts';
import { figuresIn, usageIn } from '../../machines/reply.ts';
import { LIST_PRICES, type Prices, type Rates } from './price-list.ts';

/**
 * The rates for a request. A model is found by its id, and by its id without a date or `-latest` at the end.
 * @returns undefined for a model that the list does not know
 */
export function priceOf(model: string, promptTokens = 0, prices: Prices = LIST_PRICES): Rates | undefined {
  const price = prices.get(model) ?? prices.get(model.replace(/(-\d{8}|-latest)$/, ''));
  return price?.above !== undefined && promptTokens > price.above.promptTokens ? price.above : price;
}

/** Prices step up with the size of the prompt, and the summary behind a request reads more than the request. */
const CLOSING_TOKENS = 4_096;

/**
 * What a token of a request may cost at the dearest, in USD: its input is written to the cache, and read from it by nobody.
 * @param tokens input and output together. 0 each where the list does not know the model
 */
export function dearestPrice(
  model: string,
  tokens: number,
  prices: Prices = LIST_PRICES,
): { readonly inputUsd: number; readonly outputUsd: number } {
  const rates = priceOf(model, tokens + CLOSING_TOKENS, prices);
  if (rates === undefined) return { inputUsd: 0, outputUsd: 0 };
  return {
    inputUsd: Math.max(rates.input, rates.cacheWrite5m) / 1_000_000,
    outputUsd: rates.output / 1_000_000,
  };
}

type Figures = NonNullable<AssistantMessage['usage']>;

/** Usage with what is kept for an hour told apart; without that, all is kept for five minutes. */
export interface BilledUsage extends Usage {
  readonly cacheWrite1h?: number;
}

export const promptTokensOf = ({ input, cacheWrite, cacheRead }: Usage): number =>
  input + cacheWrite + cacheRead;

export function costOf(usage: BilledUsage, price: Rates): number {
  const { input, output, cacheWrite, cacheRead, cacheWrite1h = 0 } = usage;
  return toBillionths(
    (input * price.input +
      output * price.output +
      Math.max(cacheWrite - cacheWrite1h, 0) * price.cacheWrite5m +
      cacheWrite1h * price.cacheWrite1h +
      cacheRead * price.cacheRead) /
      1_000_000,
  );
}

/**
 * What a reply costs with the model that gave it or, where the list does not know that one, with the model that was
 * asked: a gateway may answer under a name of its own.
 * @returns undefined where the list knows neither
 */
export function costOfReply(
  message: AssistantMessage,
  asked: string,
  prices: Prices = LIST_PRICES,
): number | undefined {
  const { model } = message;
  const ratesFor = (tokens: number) =>
    (typeof model === 'string' ? priceOf(model, tokens, prices) : undefined) ??
    priceOf(asked, tokens, prices);
  // Also of a reply that names no figures.
  if (ratesFor(0) === undefined) return undefined;
  let sum = 0;
  for (const figures of figuresIn(message)) {
    const usage = billedUsageIn(figures);
    const rates = ratesFor(promptTokensOf(usage));
    if (rates) sum = addUsd(sum, costOf(usage, rates));
  }
  return sum;
}

/** Amounts past all sense stay as they are. */
function toBillionths(usd: number): number {
  const billionths = Math.round(usd * 1e9);
  return Number.isSafeInteger(billionths) ? billionths / 1e9 : usd;
}

/** Where the parts of what was kept do not add up, the larger figure counts. */
function billedUsageIn(figures: Figures): BilledUsage {
  const usage = usageIn(figures);
  const parts = partsOf(figures.cache_creation);
  const cacheWrite = Math.max(usage.cacheWrite, parts.input + parts.cacheWrite);
  return { ...usage, cacheWrite, cacheWrite1h: parts.input };
}

/** Read by the rules for all usage: what is no count is 0. The hour stands under `input`, the five minutes beside it. */
function partsOf(creation: unknown): Usage {
  const fields = typeof creation === 'object' && creation !== null ? { ...creation } : {};
  const { ephemeral_1h_input_tokens, ephemeral_5m_input_tokens }: { readonly [field: string]: unknown } =
    fields;
  return usageIn({
    input_tokens: ephemeral_1h_input_tokens,
    cache_creation_input_tokens: ephemeral_5m_input_tokens,
  });
}
