import { describe, expect, it } from 'vitest';
import {
  type Allowance,
  addUsd,
  allowanceOf,
  type Concluding,
  type Forecast,
  isTooLittle,
  isTooLittleForResults,
  NOTHING_UNSETTLED,
  resultRoom,
  summaryAllowance,
  summaryReserve,
} from '../../machines/budget.ts';
import { DEFAULT_LIMITS, type Limits } from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';

const spending = (limits: Partial<Limits>, tokens = 0, costUsd = 0): Concluding => ({
  limits: { ...DEFAULT_LIMITS, ...limits },
  usage: { ...NO_USAGE, output: tokens },
  costUsd,
  unsettled: NOTHING_UNSETTLED,
  summaryTries: 0,
});
/** A dollar for 1024 tokens, or for 128 that are put out. */
const FORECAST: Forecast = { inputTokens: 1_000, inputUsd: 1 / 1_024, outputUsd: 1 / 128 };
const FREE: Forecast = { inputTokens: 1_000, inputUsd: 0, outputUsd: 0 };
/** So many tokens of input in dollars. One of output is eight of them. */
const worth = (tokens: number) => tokens / 1_024;
const WANTED = 4_000;

describe('a request is allowed', () => {
  it.each<[string, Partial<Limits>, Allowance]>([
    ['all that it wants without a budget', {}, { tokens: WANTED, by: null }],
    ['all that it wants where it fits', { tokenBudget: 12_048 }, { tokens: WANTED, by: null }],
    ['less where it does not', { tokenBudget: 12_047 }, { tokens: 3_999, by: 'token_budget' }],
    [
      'less than nothing where even its input is too much',
      { tokenBudget: 0 },
      { tokens: -2_024, by: 'token_budget' },
    ],
    [
      'more where no summary is kept in reserve',
      { tokenBudget: 4_999, summary: false },
      { tokens: 3_999, by: 'token_budget' },
    ],
    [
      'as much as its price in dollars allows',
      { maxCostUsd: worth(20_220) },
      { tokens: 1_000, by: 'cost_budget' },
    ],
    [
      'as much as the tighter of two budgets allows',
      { maxCostUsd: worth(20_220), tokenBudget: 12_047 },
      { tokens: 1_000, by: 'cost_budget' },
    ],
    [
      'as much as the tighter of two budgets allows, whichever it is',
      { maxCostUsd: worth(20_220), tokenBudget: 4_200 },
      { tokens: 76, by: 'token_budget' },
    ],
    [
      'nothing by a choice between two that are equally tight: the money is named',
      { maxCostUsd: worth(20_220), tokenBudget: 6_048 },
      { tokens: 1_000, by: 'cost_budget' },
    ],
  ])('%s', (_, limits, allowance) => {
    expect(allowanceOf(spending(limits), FORECAST, WANTED, false)).toEqual(allowance);
  });

  it('as much as is left of a budget', () => {
    const spent = spending({ tokenBudget: 20_000 }, 7_953);
    expect(allowanceOf(spent, FORECAST, WANTED, false)).toEqual({ tokens: 3_999, by: 'token_budget' });
  });

  it('all that it wants, if it costs nothing', () => {
    expect(allowanceOf(spending({ maxCostUsd: 1 }, 0, 0.5), FREE, WANTED, false)).toEqual({
      tokens: WANTED,
      by: null,
    });
  });
});

describe('a request is not worth sending', () => {
  it.each<[number, Allowance['by'], number, boolean]>([
    [1_023, 'token_budget', WANTED, true],
    [1_024, 'token_budget', WANTED, false],
    [99, 'cost_budget', 100, true],
    [100, 'cost_budget', 100, false],
    [100, null, 100, false],
  ])('with %i output tokens, allowed by %s, of %i that are wanted: %s', (tokens, by, wanted, expected) => {
    expect(isTooLittle({ tokens, by }, wanted)).toBe(expected);
  });
});

describe('a summary is allowed', () => {
  it.each<[string, Partial<Limits>, number, Allowance]>([
    ['all that it wants without a budget', {}, 0, { tokens: WANTED, by: null }],
    ['all that it wants where it fits', { tokenBudget: 5_000 }, 0, { tokens: WANTED, by: null }],
    ['what is left of the tokens', { tokenBudget: 5_000 }, 1_000, { tokens: 3_000, by: 'token_budget' }],
    ['a little past the tokens', { tokenBudget: 5_000 }, 3_500, { tokens: 1_024, by: 'token_budget' }],
    ['a little past the tokens, however far', { tokenBudget: 1 }, 1e6, { tokens: 1_024, by: 'token_budget' }],
    ['what is left of the money', { maxCostUsd: worth(25_000) }, 0, { tokens: 3_000, by: 'cost_budget' }],
    ['nothing past the money', { maxCostUsd: worth(1_400) }, 0, { tokens: 50, by: 'cost_budget' }],
    [
      'nothing past the money, whatever is left of the tokens',
      { maxCostUsd: worth(1_400), tokenBudget: 1 },
      0,
      { tokens: 50, by: 'cost_budget' },
    ],
    [
      'what is left of the tokens, whatever is left of the money',
      { maxCostUsd: worth(25_000), tokenBudget: 5_000 },
      2_000,
      { tokens: 2_000, by: 'token_budget' },
    ],
  ])('%s', (_, limits, tokens, allowance) => {
    expect(summaryAllowance(spending(limits, tokens), FORECAST, WANTED)).toEqual(allowance);
  });

  it.each([
    ['all that it wants, if it costs nothing', 1, { tokens: WANTED, by: null }],
    [
      'nothing, even if it costs nothing, once more is spent than there was',
      1.5,
      { tokens: Number.NEGATIVE_INFINITY, by: 'cost_budget' },
    ],
  ])('%s', (_, costUsd, allowance) => {
    expect(summaryAllowance(spending({ maxCostUsd: 1 }, 0, costUsd), FREE, WANTED)).toEqual(allowance);
  });

  it('past the tokens as much as it wants, if that is less than a little', () => {
    expect(summaryAllowance(spending({ tokenBudget: 1 }), FORECAST, 100)).toEqual({ tokens: 100, by: null });
  });

  it('no more than the tokens that are left, where the run had a summary before', () => {
    const again = { ...spending({ tokenBudget: 2_000 }, 900), summaryTries: 1 };
    expect(summaryAllowance(again, FORECAST, WANTED)).toEqual({ tokens: 100, by: 'token_budget' });
  });
});

describe('kept back for the summary is', () => {
  it.each<[string, Partial<Limits>, 'token_budget' | 'cost_budget', number]>([
    ['what it reads, and the least that it says', { tokenBudget: 50_000 }, 'token_budget', 3_048],
    ['the same at its price', { maxCostUsd: 50 }, 'cost_budget', worth(2_024) + 8],
    ['nothing where there is no such budget', { maxCostUsd: 50 }, 'token_budget', 0],
    ['nothing where no summary is wanted', { tokenBudget: 50_000, summary: false }, 'token_budget', 0],
  ])('%s', (_, limits, by, reserve) => {
    expect(summaryReserve(by, spending(limits), FORECAST)).toBeCloseTo(reserve, 6);
  });
});

describe('results have room', () => {
  it.each<[string, Partial<Limits>, ReturnType<typeof resultRoom>]>([
    ['without a bound, where there is no budget', {}, null],
    ['without a bound, where no summary is to be read', { tokenBudget: 5_000, summary: false }, null],
    ['for what the tokens leave', { tokenBudget: 5_048 }, { bytes: 450, by: 'token_budget' }],
    ['for what the money leaves', { maxCostUsd: worth(12_217) }, { bytes: 450, by: 'cost_budget' }],
    [
      'for what the tighter of two budgets leaves',
      { maxCostUsd: worth(12_217), tokenBudget: 5_046 },
      { bytes: 449, by: 'token_budget' },
    ],
    [
      'for what the tighter of two budgets leaves, whichever it is',
      { maxCostUsd: worth(12_215), tokenBudget: 5_048 },
      { bytes: 449, by: 'cost_budget' },
    ],
  ])('%s', (_, limits, room) => {
    expect(resultRoom(spending(limits), FORECAST, 2_000, 2)).toEqual(room);
  });

  it('without a bound, where reading them costs nothing', () => {
    expect(resultRoom(spending({ maxCostUsd: 20 }), FREE, 2_000, 2)).toBeNull();
  });

  it.each([
    [255, true],
    [256, false],
  ])('of %i bytes each, too little to say anything: %s', (bytes, expected) => {
    expect(isTooLittleForResults({ bytes, by: 'token_budget' })).toBe(expected);
  });
});

describe('a sum of amounts', () => {
  it('is exact to a billionth, and past all sense stays what it is', () => {
    expect(addUsd(0.1, 0.2)).toBe(0.3);
    expect(addUsd(1e300, 1)).toBe(1e300);
  });
});
