import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowanceOf,
  type Concluding,
  type Forecast,
  isTooLittle,
  isTooLittleForResults,
  LEAST_OUTPUT_TOKENS,
  NOTHING_UNSETTLED,
  resultRoom,
  type Spending,
  summaryAllowance,
} from '../../machines/budget.ts';
import { DEFAULT_LIMITS, type Limits } from '../../machines/limits.ts';
import { NO_USAGE, totalTokens } from '../../machines/reply.ts';

/** Written down a second time on purpose: what is kept in reserve is a promise. */
const CLOSING_TOKENS = 1_024;
const LEAST_RESULT_BYTES = 256;
const RESULT_FORM_TOKENS = 50;

const spending = (limits: Partial<Limits>, tokens = 0, costUsd = 0): Concluding => ({
  limits: { ...DEFAULT_LIMITS, ...limits },
  usage: { ...NO_USAGE, output: tokens },
  costUsd,
  unsettled: NOTHING_UNSETTLED,
  summaryTries: 0,
});
const tokens = (max: number) => fc.integer({ min: 0, max });
const price = tokens(1_000).map((count) => count / 1e7);
const forecasts = fc.record({ inputTokens: tokens(100_000), inputUsd: price, outputUsd: price });
const wants = fc.integer({ min: 1, max: 64_000 });
const states = fc
  .record({
    tokenBudget: fc.option(tokens(500_000)),
    maxCostUsd: fc.option(tokens(50_000).map((count) => count / 1_000)),
    summary: fc.boolean(),
    usedTokens: tokens(100_000),
    costUsd: tokens(5_000).map((count) => count / 1_000),
  })
  .map(({ usedTokens, costUsd, ...limits }) => spending(limits, usedTokens, costUsd));

/** Dollars are sums of fractions: a difference that no bill shows is none. */
const within = (costUsd: number, { maxCostUsd }: Limits) =>
  maxCostUsd === null || costUsd <= maxCostUsd + 1e-9;
const cost = ({ inputUsd, outputUsd }: Forecast, input: number, output: number) =>
  input * inputUsd + output * outputUsd;
/** What a run has spent after a request. */
const spentWith = (
  { limits, usage, costUsd, unsettled, summaryTries }: Concluding,
  forecast: Forecast,
  input: number,
  output: number,
): Concluding => ({
  limits,
  summaryTries,
  usage: { ...usage, input: usage.input + input, output: usage.output + output },
  costUsd: costUsd + cost(forecast, input, output),
  unsettled,
});

function expectSummary(spent: Concluding, forecast: Forecast, inputTokens: number) {
  for (const wanted of [1, LEAST_OUTPUT_TOKENS, 8_192]) {
    const allowance = summaryAllowance(spent, { ...forecast, inputTokens }, wanted);
    expect(isTooLittle(allowance, wanted)).toBe(false);
    const { tokenBudget } = spent.limits;
    const total = totalTokens(spent.usage) + inputTokens + Math.min(LEAST_OUTPUT_TOKENS, wanted);
    if (tokenBudget !== null) expect(total).toBeLessThanOrEqual(tokenBudget);
  }
}

describe('whatever the prices, the limits and the inputs,', () => {
  it('a request that is worth sending exceeds no budget at its worst, and a summary behind it fits as well', () => {
    fc.assert(
      fc.property(states, forecasts, wants, (spent, forecast, wanted) => {
        const allowance = allowanceOf(spent, forecast, wanted, false);
        fc.pre(!isTooLittle(allowance, wanted));
        const { inputTokens } = forecast;
        const after = spentWith(spent, forecast, inputTokens, allowance.tokens);
        const { limits, usage, costUsd } = after;
        expect(allowance.tokens).toBeLessThanOrEqual(wanted);
        expect(within(costUsd, limits)).toBe(true);
        expect(totalTokens(usage)).toBeLessThanOrEqual(limits.tokenBudget ?? Number.POSITIVE_INFINITY);
        if (!limits.summary) return;
        const read = inputTokens + allowance.tokens + CLOSING_TOKENS;
        expectSummary(after, forecast, read);
      }),
    );
  });

  it('a budget is not left unused: one token more of output would not fit', () => {
    fc.assert(
      fc.property(states, forecasts, wants, (spent, forecast, wanted) => {
        const { tokens: allowed, by } = allowanceOf(spent, forecast, wanted, false);
        fc.pre(by !== null && Number.isFinite(allowed));
        const { limits, usage, costUsd } = spent;
        const output = allowed + 1;
        const input = forecast.inputTokens;
        const [read, said] = limits.summary ? [input + output + CLOSING_TOKENS, LEAST_OUTPUT_TOKENS] : [0, 0];
        if (by === 'token_budget')
          expect(totalTokens(usage) + input + output + read + said).toBeGreaterThan(limits.tokenBudget ?? 0);
        else
          expect(costUsd + cost(forecast, input + read, output + said) + 1e-9).toBeGreaterThan(
            limits.maxCostUsd ?? 0,
          );
      }),
    );
  });

  it('a summary behind another one exceeds neither money nor tokens', () => {
    fc.assert(
      fc.property(
        states,
        forecasts,
        wants,
        fc.integer({ min: 1, max: 9 }),
        (spent, forecast, wanted, earlier) => {
          const again = { ...spent, summaryTries: earlier };
          const allowance = summaryAllowance(again, forecast, wanted);
          fc.pre(!isTooLittle(allowance, wanted));
          const { limits, usage, costUsd } = spentWith(
            again,
            forecast,
            forecast.inputTokens,
            allowance.tokens,
          );
          expect(within(costUsd, limits)).toBe(true);
          expect(totalTokens(usage)).toBeLessThanOrEqual(limits.tokenBudget ?? Number.POSITIVE_INFINITY);
        },
      ),
    );
  });

  it('a summary exceeds no money, and tokens only by its input and by the least that it may say', () => {
    fc.assert(
      fc.property(states, forecasts, wants, (spent, forecast, wanted) => {
        const allowance = summaryAllowance(spent, forecast, wanted);
        fc.pre(!isTooLittle(allowance, wanted));
        const { limits, usage, costUsd } = spentWith(spent, forecast, forecast.inputTokens, allowance.tokens);
        expect(within(costUsd, limits)).toBe(true);
        const least = totalTokens(spent.usage) + forecast.inputTokens + Math.min(LEAST_OUTPUT_TOKENS, wanted);
        const most = Math.max(limits.tokenBudget ?? Number.POSITIVE_INFINITY, least);
        expect(totalTokens(usage)).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('results that are as large as allowed leave the summary that reads them all', () => {
    fc.assert(
      fc.property(
        states,
        forecasts,
        wants,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        ({ limits, ...rest }, forecast, wanted, share, calls) => {
          const spent = { ...rest, limits: { ...limits, summary: true } };
          const allowance = allowanceOf(spent, forecast, wanted, false);
          fc.pre(!isTooLittle(allowance, wanted));
          const [input, output] = [
            Math.floor(share * forecast.inputTokens),
            Math.floor(share * allowance.tokens),
          ];
          const replied = spentWith(spent, forecast, input, output);
          const room = resultRoom(replied, forecast, input + output, calls);
          fc.pre(room !== null && !isTooLittleForResults(room));
          expect(room.bytes).toBeGreaterThanOrEqual(LEAST_RESULT_BYTES);
          const results = calls * (room.bytes + RESULT_FORM_TOKENS);
          expectSummary(replied, forecast, input + output + results + CLOSING_TOKENS);
        },
      ),
    );
  });

  it('more of a budget never allows less', () => {
    fc.assert(
      fc.property(states, forecasts, wants, tokens(10_000), (spent, forecast, wanted, more) => {
        const { tokenBudget, maxCostUsd } = spent.limits;
        const raised: Limits = {
          ...spent.limits,
          tokenBudget: tokenBudget === null ? null : tokenBudget + more,
          maxCostUsd: maxCostUsd === null ? null : maxCostUsd + more / 1_000,
        };
        for (const limits of [raised, { ...raised, tokenBudget: null }, { ...raised, maxCostUsd: null }]) {
          const richer = { ...spent, limits: { ...spent.limits, ...limits } };
          for (const allow of [
            (one: Spending) => allowanceOf(one, forecast, wanted, false),
            (one: Spending) => allowanceOf(one, forecast, wanted, true),
            (one: Concluding) => summaryAllowance(one, forecast, wanted),
          ]) {
            const [less, rather] = [allow(spent), allow(richer)];
            expect(rather.tokens).toBeGreaterThanOrEqual(less.tokens);
            if (!isTooLittle(less, wanted)) expect(isTooLittle(rather, wanted)).toBe(false);
          }
          const [small, large] = [spent, richer].map(
            (one) => resultRoom(one, forecast, 1_000, 2)?.bytes ?? Number.POSITIVE_INFINITY,
          );
          expect(large).toBeGreaterThanOrEqual(small as number);
        }
      }),
    );
  });
});
