/**
 * Every path of the machine, in worlds small enough to be seen whole. While searching, the monitor checks on each step
 * what must never happen; what is left to check here are properties of the whole.
 */
import { expect, it } from 'vitest';
import { STOP_STATUSES } from '../../machines/status.ts';
import { LIMITS } from './given.ts';
import { ROUGH, SMOOTH } from './search/alphabet.ts';
import { checkPaths, endsOf, searchAll } from './search/paths.ts';

const unlimited = { ...LIMITS, maxRepeats: null };

const searched = searchAll([
  ['failures and odd replies', unlimited, ROUGH],
  ['no summary', { ...unlimited, summary: false }, { ...ROUGH, calls: [1] }],
  ['three calls in a reply', { ...unlimited, maxTurns: 1 }, { ...SMOOTH, calls: [3] }],
  [
    'a model to fall back to',
    { ...unlimited, maxPauses: 0, maxRetries: 0, maxFallbacks: 1 },
    { ...ROUGH, calls: [1] },
  ],
  ['a limit on tool calls', { ...unlimited, maxTurns: 3, maxToolCalls: 2 }, SMOOTH],
  [
    'a limit on repetition',
    { ...LIMITS, maxTurns: 4, maxRepeats: 2 },
    { ...SMOOTH, calls: [1], outcomes: ['same', 'other'] },
  ],
]);
checkPaths(searched);

it('together they reach every stop status, but for those of a budget', () => {
  const reached = new Set(searched.flatMap(({ found }) => endsOf(found)).map(({ value }) => value));
  const others = Object.keys(STOP_STATUSES).filter((status) => !status.endsWith('_budget'));
  expect([...reached].sort()).toEqual(others.sort());
});
