/** Every path of the machine with a context window, in worlds small enough to be seen whole. */
import { expect, it } from 'vitest';
import type { Forecast } from '../../machines/budget.ts';
import { SMALL, WINDOW } from '../machines/given.ts';
import { ROUGH, type World } from '../machines/search/alphabet.ts';
import { checkPaths, endsOf, searchAll } from '../machines/search/paths.ts';

/** Of 10 000 tokens: one leaves a short reply room, the other none. */
const TIGHT: Forecast = { ...SMALL, inputTokens: 8_500 };
const FULL: Forecast = { ...SMALL, inputTokens: 9_500 };

/** Replies behind which there is room for what comes next, and replies behind which there may be none. */
const NARROW: World = {
  ...ROUGH,
  calls: [1],
  forecasts: [TIGHT, FULL],
  prices: [
    { tokens: 200, costUsd: 0 },
    { tokens: 9_500, costUsd: 0 },
  ],
};
const SMOOTH: World = { ...NARROW, isRough: false };
const calm = {
  ...WINDOW,
  maxTurns: 1,
  maxRepeats: null,
  maxPauses: 0,
  maxRetries: 0,
  maxOutputTokens: 2_000,
  outputCeiling: 4_000,
};

const searched = searchAll([
  ['a window', calm, NARROW],
  ['a window and two turns', { ...calm, maxTurns: 2 }, SMOOTH],
  ['a window and a token budget', { ...calm, tokenBudget: 30_000 }, SMOOTH],
  [
    'a smaller window with the model to fall back to',
    {
      ...calm,
      maxTurns: 2,
      maxTruncations: 0,
      maxFallbacks: 1,
      fallbackWindow: 10_000,
      contextWindow: 20_000,
      summary: false,
    },
    { ...NARROW, forecasts: [FULL], prices: [{ tokens: 9_500, costUsd: 0 }] },
  ],
]);
checkPaths(searched);

const exhausted = searched.map(({ found }) =>
  endsOf(found)
    .filter(({ value }) => value === 'context_exhausted')
    .map(({ context: { reply, allowance, forecast } }) =>
      [reply?.kind, allowance?.by, forecast?.inputTokens].join(' '),
    ),
);

it.each([
  ['before a request that leaves no room', 0, ' context_window 9500'],
  ['at a reply that the window cut', 0, 'truncated context_window 8500'],
  ['at a reply that the service calls cut by it', 0, 'exhausted context_window 8500'],
  ['before the other model, whose window is smaller', 3, 'refused context_window 9500'],
])('runs are out of context %s', (_, search, end) => {
  expect(exhausted[search]).toContain(end);
});
