/** The same as in test/durable, many more times. */
import { describe, expect, it } from 'vitest';
import { contest } from '../durable/contest.ts';
import { killedRun } from '../durable/killing.ts';
import { expectSurvived } from '../durable/survived.ts';

describe('durability', () => {
  it.each([11, 12, 13, 14, 15])('a run survives 40 kills at the instants of seed %i', async (seed) => {
    const survived = await killedRun(seed, 40);
    expectSurvived(survived);
    expect(survived.resumptions).toBeGreaterThan(20);
  });

  it('of two processes on one run exactly one works, fifty times', () => contest(50));
});
