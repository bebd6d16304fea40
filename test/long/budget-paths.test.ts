/** Every path of the machine under a budget, in worlds small enough to be seen whole. */
import { describe, expect, it } from 'vitest';
import { LEAST_OUTPUT_TOKENS } from '../../machines/budget.ts';
import { totalTokens } from '../../machines/reply.ts';
import { LIMITS, SMALL } from '../machines/given.ts';
import { ROUGH, type World } from '../machines/search/alphabet.ts';
import { checkPaths, endsOf, searchAll } from '../machines/search/paths.ts';

/** Requests cost what they like, whatever was foreseen. */
const PRICED: World = {
  ...ROUGH,
  calls: [1],
  forecasts: [SMALL],
  prices: [
    { tokens: 1, costUsd: 0.5 },
    { tokens: 10_000, costUsd: 2 },
  ],
};
/** Requests cost what was foreseen at most. Each may turn out to be a small one, or one that fits no budget. */
const FORESEEN: World = {
  ...ROUGH,
  calls: [1],
  isAsForeseen: true,
  forecasts: [
    { inputTokens: 128, inputUsd: 0, outputUsd: 0 },
    { inputTokens: 9_000, inputUsd: 0, outputUsd: 0 },
  ],
};
const FORESEEN_SMOOTH: World = { ...FORESEEN, isRough: false };
/** At prices that are exact in binary, so that equal sums are equal configurations. */
const PAID = FORESEEN.forecasts.map((forecast) => ({
  ...forecast,
  inputUsd: 2 ** -17,
  outputUsd: 2 ** -14,
}));
const LONG = { maxOutputTokens: 2_000, outputCeiling: 4_000 };
const unlimited = { ...LIMITS, maxRepeats: null };
const calm = { ...unlimited, maxPauses: 0, maxRetries: 0 };

const searched = searchAll([
  ['a token budget that replies pass', { ...calm, tokenBudget: 10_000 }, PRICED],
  ['a money budget that replies pass', { ...calm, maxCostUsd: 2 }, PRICED],
  ['a token budget', { ...calm, ...LONG, maxTurns: 1, tokenBudget: 8_000 }, FORESEEN],
  ['a token budget for three turns', { ...calm, ...LONG, maxTurns: 3, tokenBudget: 8_000 }, FORESEEN_SMOOTH],
  [
    'a money budget',
    { ...unlimited, ...LONG, maxTurns: 1, maxPauses: 0, maxCostUsd: 0.25 },
    { ...FORESEEN, forecasts: PAID },
  ],
  [
    'a money budget for three turns',
    { ...calm, ...LONG, maxTurns: 3, maxCostUsd: 0.25 },
    { ...FORESEEN_SMOOTH, forecasts: PAID },
  ],
  [
    'both budgets and no summary',
    { ...unlimited, ...LONG, maxTurns: 1, tokenBudget: 4_000, maxCostUsd: 0.15, summary: false },
    { ...FORESEEN, forecasts: PAID },
  ],
]);
checkPaths(searched);

it('together they reach the ends of both budgets', () => {
  const reached = searched.flatMap(({ found }) => endsOf(found)).map(({ value }) => value);
  expect(reached).toContain('token_budget');
  expect(reached).toContain('cost_budget');
});

const foreseen = searched.filter(({ world }) => world.isAsForeseen);
describe.each(foreseen.map((search) => [search.title, search] as const))(
  'where requests cost what was foreseen at most, with %s',
  (_, { limits, world, found }) => {
    const ended = endsOf(found).map(({ context }) => context);

    it('no run costs more than its money', () => {
      const { maxCostUsd } = limits;
      const over = ended.filter(({ costUsd }) => maxCostUsd !== null && costUsd > maxCostUsd);
      expect(over).toEqual([]);
    });

    it('no run takes more tokens than its budget, but for one request at its beginning and those for its summary', () => {
      const { tokenBudget, maxRetries, summary } = limits;
      const largest =
        Math.max(...world.forecasts.map(({ inputTokens }) => inputTokens)) + LEAST_OUTPUT_TOKENS;
      const beside = summary ? (1 + maxRetries) * largest : 0;
      const most = Math.max(tokenBudget ?? Number.POSITIVE_INFINITY, largest) + beside;
      expect(ended.filter(({ usage }) => totalTokens(usage) > most)).toEqual([]);
    });
  },
);
