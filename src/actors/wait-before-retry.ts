import { setTimeout as sleep } from 'node:timers/promises';
import { type Gate, mayPass } from './gate.ts';
import type { JobWork } from './job.ts';

/** A wait as a job, so that a run resumed in the middle of it waits again instead of for ever. */
export const waitBeforeRetry =
  (gate: Gate): JobWork<'waitBeforeRetry'> =>
  async ({ input: { turn, attempt, delayMs }, signal, send }) => {
    if (!(await mayPass(gate, { kind: 'wait', turn }, signal))) return;
    await sleep(delayMs, undefined, { signal });
    send({ type: 'wait.elapsed', turn, attempt });
  };
