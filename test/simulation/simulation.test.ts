import { beforeAll, describe, expect, it } from 'vitest';
import { withVirtualTimers } from './clock.ts';
import { playSeries, type Series } from './series.ts';
import { simulate } from './simulate.ts';

/** Fixed, so that the same runs are played each time. Other seeds, and 100,000 runs: see main.ts and .ci/run. */
const FIRST_SEED = 1_201;
const RUNS = 150;
const TIMEOUT_MS = 300_000;

/** All but a failed journal, which leaves a run that goes on. */
const ENDS = [
  'answered',
  'max_turns',
  'token_budget',
  'cost_budget',
  'max_tool_calls',
  'time_limit',
  'stuck',
  'refused',
  'truncated',
  'context_exhausted',
  'model_stopped',
  'protocol_error',
  'model_error',
  'cancelled',
];

const WAYS = ['kills', 'effects', 'requests', 'suspensions', 'decisions'];

describe(`${RUNS} simulated runs, seeds from ${FIRST_SEED} on`, () => {
  let series: Series;
  beforeAll(async () => {
    series = await playSeries(FIRST_SEED, RUNS);
  }, TIMEOUT_MS);

  it('keep every rule at every step, whatever befalls them', () => {
    expect(series.broken).toEqual([]);
    expect(series.runs).toBe(RUNS);
  });

  it('meet kills and effects, and end in every way', () => {
    expect(Object.keys(series.sums)).toEqual(expect.arrayContaining([...ENDS, ...WAYS]));
  });
});

it('a simulated run is the same each time that its seed is played', async () => {
  const play = () => withVirtualTimers(() => simulate(7));
  expect(await play()).toEqual(await play());
});
