/** A run's records while workers write them, as a reader of a journal gets them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Followed, Reader } from '../journal/follow.ts';
import type { Admin } from './admin.ts';
import { BlobError } from './blobs.ts';
import { EngineError } from './engine-error.ts';
import type { RunPlace } from './ingress.ts';

/** How long news may wait. The engine tells of none. */
const POLL_MS = 500;

/**
 * All records, then those that are added, until the reader leaves or there is nothing more to come. While the engine cannot be
 * reached there are no news.
 * @param blobs folder of the workers' blobs, where it can be seen from here
 */
export async function* followRun(
  admin: Admin,
  place: RunPlace,
  { left, ending }: Reader,
  blobs?: string,
): AsyncGenerator<Followed> {
  const over = AbortSignal.any([left, ending]);
  let next = 0;
  for (let isTold = false; !left.aborted; ) {
    const isLast = ending.aborted;
    try {
      const records = await admin.records(place, next, blobs);
      next += records.length;
      if (records.length > 0) yield { type: 'records', records };
      if (records.length > 0 || !isTold) yield { type: 'caught-up' };
      isTold = true;
    } catch (error) {
      if (error instanceof BlobError) yield { type: 'damaged', problem: error.message };
      if (!(error instanceof EngineError)) return;
    }
    if (isLast) return;
    await sleep(POLL_MS, undefined, { signal: over }).catch(() => {});
  }
}
