import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from './gate.ts';
import type { JobWork } from './job.ts';

/** A wait as a job, so that a run resumed in the middle of it waits again instead of for ever. */
export const waitBeforeRetry =
  (gate: Gate): JobWork<'waitBeforeRetry'> =>
  async ({ input: { turn, attempt, delayMs }, signal, send }) => {
    await gate.cross({ kind: 'wait', turn }, signal);
    await sleep(delayMs, undefined, { signal });
    send({ type: 'wait.elapsed', turn, attempt });
  };
