/**
 * Budgets before they are spent. A request is sent only if its worst case fits, and with it a summary that reads everything
 * once more. Tokens and money are the same sum at other prices. Pure.
 */
import type { Limits } from './limits.ts';
import type { Usage } from './protocol.ts';
import { totalTokens } from './reply.ts';

/** The next request as far as it is known before it is sent. */
export interface Forecast {
  /** At most so many. */
  readonly inputTokens: number;
  /** Dearest price of a token, in USD: all of the input written to the cache. 0 where nobody knows it. */
  readonly inputUsd: number;
  readonly outputUsd: number;
}

export interface Spending {
  readonly limits: Limits;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly unsettled: Unsettled;
}

/** What a summary is made with, too. */
export interface Concluding extends Spending {
  /** Requests for a summary of this run that the service has worked on, or may have. */
  readonly summaryTries: number;
}

/**
 * What requests may have taken beyond what is known of them: their reply broke off, or nobody heard it. It counts against
 * the budgets, at its worst, and is no part of usage and cost.
 */
export interface Unsettled {
  readonly tokens: number;
  readonly costUsd: number;
}

export const NOTHING_UNSETTLED: Unsettled = { tokens: 0, costUsd: 0 };

export type Budget = 'token_budget' | 'cost_budget';

/** Output tokens that a request may have, and what allows no more; null: nothing does. */
export interface Allowance {
  readonly tokens: number;
  readonly by: Budget | 'context_window' | null;
}

/** Bytes for each result, and the budget that leaves no more. */
export interface ResultRoom {
  readonly bytes: number;
  readonly by: Budget;
}

/** Output below this is not worth a request. A summary is promised so much. */
export const LEAST_OUTPUT_TOKENS = 1_024;
/** What a closing adds to the history: the notice, and an answer for each call that was not run. */
const CLOSING_TOKENS = 1_024;
/** A result that is cut below this says nothing. */
const LEAST_RESULT_TOKENS = 256;
/** What the form of a result takes beside its text. */
const RESULT_FORM_TOKENS = 50;

interface Prices {
  readonly left: number;
  readonly input: number;
  readonly output: number;
  /** Kept in reserve on top: a summary that fits exactly must not fail because sums of dollars are not exact. */
  readonly margin: number;
}

const MARGIN_USD = 1e-9;

const BUDGETS = ['cost_budget', 'token_budget'] as const satisfies readonly Budget[];

/** null: there is no such budget. */
function pricesOf(
  by: Budget,
  { limits, usage, costUsd, unsettled }: Spending,
  forecast: Forecast,
): Prices | null {
  const { tokenBudget, maxCostUsd } = limits;
  if (by === 'token_budget')
    return tokenBudget === null
      ? null
      : { left: tokenBudget - totalTokens(usage) - unsettled.tokens, input: 1, output: 1, margin: 0 };
  const { inputUsd: input, outputUsd: output } = forecast;
  return maxCostUsd === null
    ? null
    : { left: maxCostUsd - costUsd - unsettled.costUsd, input, output, margin: MARGIN_USD };
}

export const isTokenBudgetReached = ({ limits, usage, unsettled }: Spending): boolean =>
  limits.tokenBudget !== null && totalTokens(usage) + unsettled.tokens >= limits.tokenBudget;

export const isCostBudgetReached = ({ limits, costUsd, unsettled }: Spending): boolean =>
  limits.maxCostUsd !== null && addUsd(costUsd, unsettled.costUsd) >= limits.maxCostUsd;

/**
 * With a request that nobody knows the end of: all that it may come to.
 * @param known what the service had said of it
 */
export function unsettledWith(
  before: Unsettled,
  forecast: Forecast,
  outputTokens: number,
  known: { readonly tokens: number; readonly costUsd: number },
): Unsettled {
  const { inputTokens, inputUsd, outputUsd } = forecast;
  const tokens = Math.max(0, inputTokens + outputTokens - known.tokens);
  const costUsd = Math.max(0, inputTokens * inputUsd + outputTokens * outputUsd - known.costUsd);
  return { tokens: before.tokens + tokens, costUsd: addUsd(before.costUsd, costUsd) };
}

/**
 * Output tokens for a request of this input; what it puts out is read again by the summary that is kept in reserve. What
 * costs nothing has no bound: the division gives Infinity, or a NaN that is less than nothing else.
 */
function outputRoom(prices: Prices, inputTokens: number, keepsReserve: boolean): number {
  const { left, input, output } = prices;
  const rest = left - inputTokens * input;
  if (!keepsReserve) return Math.floor(rest / output);
  return Math.floor((rest - reserveOf(prices, inputTokens)) / (output + input));
}

/** What a summary of a conversation of this size takes, at least. */
const reserveOf = ({ input, output, margin }: Prices, inputTokens: number): number =>
  (inputTokens + CLOSING_TOKENS) * input + LEAST_OUTPUT_TOKENS * output + margin;

/** What a budget keeps back for the summary, in its unit; 0 where there is no such budget, or no summary. */
export function summaryReserve(by: Budget, spending: Spending, forecast: Forecast): number {
  const prices = spending.limits.summary ? pricesOf(by, spending, forecast) : null;
  return prices === null ? 0 : reserveOf(prices, forecast.inputTokens);
}

/**
 * What one budget allows.
 * @param wanted output tokens that would be asked for without budgets
 * @param isSummary the summary keeps nothing in reserve
 */
export function allowanceUnder(
  by: Budget,
  spending: Spending,
  forecast: Forecast,
  wanted: number,
  isSummary: boolean,
): Allowance {
  const prices = pricesOf(by, spending, forecast);
  const keepsReserve = spending.limits.summary && !isSummary;
  const tokens = prices === null ? wanted : outputRoom(prices, forecast.inputTokens, keepsReserve);
  return tokens < wanted ? { tokens, by } : { tokens: wanted, by: null };
}

/** What all budgets together allow. Parameters as for one. */
export const allowanceOf = (
  spending: Spending,
  forecast: Forecast,
  wanted: number,
  isSummary: boolean,
): Allowance =>
  BUDGETS.map((by) => allowanceUnder(by, spending, forecast, wanted, isSummary)).reduce((one, other) =>
    other.tokens < one.tokens ? other : one,
  );

/**
 * At the token budget the one summary is asked for all the same, and what it exceeds the budget by is kept small. Another request
 * for one, after a reply that broke off or where the run was taken up again, must fit: else each would spend past it. Money is
 * hard.
 */
export function summaryAllowance(spending: Concluding, forecast: Forecast, wanted: number): Allowance {
  const byMoney = allowanceUnder('cost_budget', spending, forecast, wanted, true);
  const byTokens = allowanceUnder('token_budget', spending, forecast, wanted, true);
  const promised = spending.summaryTries === 0 ? Math.min(LEAST_OUTPUT_TOKENS, wanted) : 0;
  const tokens = Math.max(byTokens.tokens, promised);
  return byMoney.tokens <= tokens ? byMoney : { tokens, by: byTokens.by };
}

/** A request that may say less than this is not sent. */
export const isTooLittle = ({ tokens, by }: Allowance, wanted: number): boolean =>
  by !== null && tokens < Math.min(LEAST_OUTPUT_TOKENS, wanted);

/**
 * Bytes that the result of one call may have, so that a summary can still read them all. A token is at least a byte.
 * @param forecast of the request that the calls came with
 * @param promptTokens what the next request begins with: the last input and the reply to it
 * @param calls at least one
 * @returns null where nothing needs to be left, or results cost nothing
 */
export function resultRoom(
  spending: Spending,
  forecast: Forecast,
  promptTokens: number,
  calls: number,
): ResultRoom | null {
  if (!spending.limits.summary) return null;
  const known = promptTokens + CLOSING_TOKENS;
  let least: ResultRoom | null = null;
  for (const by of BUDGETS) {
    const prices = pricesOf(by, spending, forecast);
    if (prices === null || prices.input === 0) continue;
    const { left, input, output, margin } = prices;
    const tokens = (left - LEAST_OUTPUT_TOKENS * output - margin) / input - known;
    const bytes = Math.floor(tokens / calls) - RESULT_FORM_TOKENS;
    if (least === null || bytes < least.bytes) least = { bytes, by };
  }
  return least;
}

export const isTooLittleForResults = ({ bytes }: ResultRoom): boolean => bytes < LEAST_RESULT_TOKENS;

/** Exact to a billionth: sums stay free of what binary fractions add to them. Those past all sense stay as they are. */
export function addUsd(a: number, b: number): number {
  const billionths = Math.round((a + b) * 1e9);
  return Number.isSafeInteger(billionths) ? billionths / 1e9 : a + b;
}
