import { setTimeout as sleep } from 'node:timers/promises';
import type { JobWork } from './job.ts';

/** The time limit of one process. Its state is the whole machine, so leaving it is the end of the run. */
export const watchClock: JobWork<'watchClock'> = async ({ input: { timeoutMs }, signal, send }) => {
  if (timeoutMs === null) return;
  await sleep(timeoutMs, undefined, { signal }).catch(() => {});
  if (!signal.aborted) send({ type: 'time.expired' });
};
