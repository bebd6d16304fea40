/** Runs of the simulation as tests: every rule is kept at every step, and every end is met. */
import { beforeAll, describe, expect, it } from 'vitest';
import { playSeries, type Series } from './series.ts';

const RUNS = 500;
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

/** As one part of those of npm test: the parts run side by side. Other seeds, and 100,000 runs: see main.ts and .ci/run. */
export function describeRuns(firstSeed: number): void {
  describe(`${RUNS} simulated runs, seeds from ${firstSeed} on`, () => {
    let series: Series;
    beforeAll(async () => {
      series = await playSeries(firstSeed, RUNS);
    }, TIMEOUT_MS);

    it('keep every rule at every step, whatever befalls them', () => {
      expect(series.broken).toEqual([]);
      expect(series.runs).toBe(RUNS);
    });

    it('meet kills and effects, and end in every way', () => {
      expect(Object.keys(series.sums)).toEqual(expect.arrayContaining([...ENDS, ...WAYS]));
    });
  });
}
