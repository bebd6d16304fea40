import { describe, it } from 'vitest';
import { killedRun } from './killing.ts';
import { expectSurvived } from './survived.ts';

describe('a run whose processes are killed at any instant', () => {
  it.each([1])(
    'has each effect once, keeps every record, and is accepted by the service (6 kills, seed %i)',
    async (seed) => expectSurvived(await killedRun(seed, 6)),
  );
});
