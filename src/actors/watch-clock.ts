import { setTimeout as sleep } from 'node:timers/promises';
import type { JobWork } from './job.ts';

/**
 * The time limit of one process. Its state is the whole machine, so leaving it is the end of the loop; where the loop begins
 * anew, to mend what a check found, the time goes on.
 * @param elapsedMs since the process took the run up
 */
export const watchClock =
  (elapsedMs: () => number): JobWork<'watchClock'> =>
  async ({ input: { timeoutMs }, signal, send }) => {
    if (timeoutMs === null) return;
    await sleep(Math.max(0, timeoutMs - elapsedMs()), undefined, { signal }).catch(() => {});
    if (!signal.aborted) send({ type: 'time.expired' });
  };
