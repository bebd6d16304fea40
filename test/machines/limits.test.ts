import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCostBudgetReached,
  isTokenBudgetReached,
  NOTHING_UNSETTLED,
  type Spending,
} from '../../machines/budget.ts';
import {
  canGrowOutput,
  DEFAULT_LIMITS,
  growOutput,
  isRepeating,
  isToolCallLimitPassed,
  isTurnLimitReached,
  NO_COUNTERS,
  owesSummary,
  rememberRound,
  repetitions,
} from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';

const limits = {
  ...DEFAULT_LIMITS,
  maxTurns: 3,
  tokenBudget: 100,
  maxCostUsd: 1,
  maxToolCalls: 4,
  maxRepeats: 3,
};
const spent = (given: Partial<Spending> & Pick<Spending, 'limits'>): Spending => ({
  usage: NO_USAGE,
  costUsd: 0,
  unsettled: NOTHING_UNSETTLED,
  ...given,
});
const unlimited = { ...limits, tokenBudget: null, maxCostUsd: null, maxToolCalls: null, maxRepeats: null };

describe('a limit is reached at its value, not one later', () => {
  it.each([
    [2, false],
    [3, true],
    [4, true],
  ])('%i of 3 turns: %s', (turns, expected) => {
    expect(isTurnLimitReached(limits, { ...NO_COUNTERS, turns })).toBe(expected);
  });

  it.each([
    [99, false],
    [100, true],
  ])('%i of 100 tokens, cached ones among them: %s', (tokens, expected) => {
    const usage = { input: 1, output: 1, cacheWrite: 1, cacheRead: tokens - 3 };
    expect(isTokenBudgetReached(spent({ limits, usage }))).toBe(expected);
  });

  it.each([
    [0.99, false],
    [1, true],
  ])('%d of 1 dollar: %s', (costUsd, expected) => {
    expect(isCostBudgetReached(spent({ limits, costUsd }))).toBe(expected);
  });

  it('what requests that broke off may have taken counts against both budgets', () => {
    const usage = { ...NO_USAGE, output: 60 };
    const unsettled = { tokens: 40, costUsd: 0.4 };
    expect(isTokenBudgetReached(spent({ limits, usage, unsettled }))).toBe(true);
    expect(isTokenBudgetReached(spent({ limits, usage: { ...usage, output: 59 }, unsettled }))).toBe(false);
    expect(isCostBudgetReached(spent({ limits, costUsd: 0.6, unsettled }))).toBe(true);
    expect(isCostBudgetReached(spent({ limits, costUsd: 0.59, unsettled }))).toBe(false);
  });

  it.each([
    [1, 3, false],
    [1, 4, true],
    [4, 0, false],
    [4, 1, true],
  ])('%i calls done and %i asked for, 4 allowed: passed is %s', (toolCalls, asked, expected) => {
    expect(isToolCallLimitPassed(limits, { ...NO_COUNTERS, toolCalls }, asked)).toBe(expected);
  });

  it('null means: no such limit', () => {
    const much = spent({ limits: unlimited, usage: { ...NO_USAGE, output: 1e12 }, costUsd: 1e12 });
    expect(isTokenBudgetReached(much)).toBe(false);
    expect(isCostBudgetReached(much)).toBe(false);
    expect(isToolCallLimitPassed(unlimited, { ...NO_COUNTERS, toolCalls: 1e12 }, 1)).toBe(false);
    expect(isRepeating(unlimited, ['a', 'a', 'a', 'a'])).toBe(false);
  });
});

it('by default only turns, repetition and repeated requests are limited: budgets are the choice of a person', () => {
  const { tokenBudget, maxCostUsd, maxToolCalls, timeoutMs, maxFallbacks, maxRepeats, summary } =
    DEFAULT_LIMITS;
  expect({ tokenBudget, maxCostUsd, maxToolCalls, timeoutMs, maxFallbacks, maxRepeats, summary }).toEqual({
    tokenBudget: null,
    maxCostUsd: null,
    maxToolCalls: null,
    timeoutMs: null,
    maxFallbacks: 0,
    maxRepeats: 6,
    summary: true,
  });
});

describe('repetition', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a b', 1],
    ['a a', 2],
    ['a a a', 3],
    ['b a a', 2],
    ['a a b', 1],
    ['a b a', 1],
    ['a b a b', 2],
    ['b a b a b', 2],
    ['a b a b a b', 3],
    ['a b a b a c', 1],
    ['a b c a b c', 1],
    ['a a a a', 4],
  ])('of the rounds "%s" is %i', (rounds, expected) => {
    expect(repetitions(rounds.split(' ').filter(Boolean))).toBe(expected);
  });

  it('is a limit like the others', () => {
    expect(isRepeating(limits, ['a', 'a'])).toBe(false);
    expect(isRepeating(limits, ['a', 'a', 'a'])).toBe(true);
    expect(isRepeating(limits, ['a', 'b', 'a', 'b', 'a', 'b'])).toBe(true);
  });

  const round = fc.constantFrom('a', 'b', 'c');
  const rounds = fc.array(round, { maxLength: 12 });
  const times = fc.integer({ min: 2, max: 6 });

  it('counts a round, or a pair of different rounds, as often as it stands at the end, whatever was before', () => {
    fc.assert(
      fc.property(
        rounds,
        fc.uniqueArray(round, { minLength: 1, maxLength: 2 }),
        times,
        (before, period, count) => {
          const repeated = Array.from({ length: count }, () => period).flat();
          expect(repetitions(['x', ...before, 'y', ...repeated])).toBe(count);
        },
      ),
    );
  });

  it('agrees with the definition: the most equal pieces of one or of two rounds at the end', () => {
    const pieces = (all: string[], period: number) => {
      const last = all.slice(-period).join();
      let count = 0;
      while (all.length >= period && all.splice(-period).join() === last) count += 1;
      return count;
    };
    fc.assert(
      fc.property(rounds, (all) => {
        expect(repetitions(all)).toBe(Math.max(pieces([...all], 1), pieces([...all], 2)));
      }),
    );
  });

  it('is seen in the rounds that are remembered as it would be in all of them', () => {
    fc.assert(
      fc.property(rounds, fc.integer({ min: 2, max: 4 }), (all, maxRepeats) => {
        const some = { ...limits, maxRepeats };
        const remembered = all.reduce<string[]>((known, next) => rememberRound(some, known, next), []);
        expect(remembered.length).toBeLessThanOrEqual(2 * maxRepeats);
        expect(isRepeating(some, remembered)).toBe(isRepeating(some, all));
      }),
    );
  });

  it('without a limit no round is remembered', () => {
    expect(rememberRound(unlimited, ['a'], 'b')).toEqual([]);
  });
});

describe('a cut reply is asked again', () => {
  const growing = { ...limits, maxOutputTokens: 100, outputCeiling: 350, maxTruncations: 2 };

  it('with twice the room each time, up to what the model can give', () => {
    expect(growOutput(growing, 100)).toBe(200);
    expect(growOutput(growing, 200)).toBe(350);
  });

  it.each([
    ['at first', growing, 100, true],
    ['a second time', growing, 200, true],
    ['not a third time', growing, 350, false],
    ['not more often than allowed', { ...growing, maxTruncations: 1 }, 200, false],
    ['not at all if that is forbidden', { ...growing, maxTruncations: 0 }, 100, false],
    ['not if it can get no more room', { ...growing, outputCeiling: 100 }, 100, false],
  ])('%s', (_, some, current, expected) => {
    expect(canGrowOutput(some, current)).toBe(expected);
  });
});

describe('a summary is owed', () => {
  const stop = { status: 'max_turns' } as const;

  it.each([
    ['after a limit', limits, NO_COUNTERS, stop, true],
    ['once', limits, { ...NO_COUNTERS, summaries: 1 }, stop, false],
    ['not if it is switched off', { ...limits, summary: false }, NO_COUNTERS, stop, false],
    [
      'not to a person who wants to leave',
      limits,
      NO_COUNTERS,
      { status: 'cancelled', signal: 'SIGINT' } as const,
      false,
    ],
  ])('%s', (_, some, counters, reason, expected) => {
    expect(owesSummary(some, counters, reason)).toBe(expected);
  });
});
