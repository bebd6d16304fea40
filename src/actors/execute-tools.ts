import { setMaxListeners } from 'node:events';
import type { Call } from '../../machines/turn.ts';
import type { JobWork } from './job.ts';
import type { CallParts, OneCall, Send } from './record-outcome.ts';
import { runCall } from './run-call.ts';

/** Made once, for its stack trace is of no use to anybody. */
const STOPPED = new Error('the run was stopped');

type Runnable = Extract<Call, { effect: unknown }>;

/** Runs one call to its outcome on record. */
export type RunOne = (one: OneCall, stopped: AbortSignal, send: Send) => Promise<void>;

export const executeTools = (parts: CallParts): JobWork<'executeTools'> =>
  executeCalls((one, stopped, send) => runCall(parts, one, stopped, send));

/**
 * Runs the approved calls of one reply. It is the one job that a cancel does not cut off: told to stop, it ends what
 * runs, records the outcome, starts nothing more and reports. It is aborted outright only when the journal failed.
 */
export const executeCalls =
  (runOne: RunOne): JobWork<'executeTools'> =>
  async ({ input: { turn, calls, maxResultBytes }, signal, send, onStop }) => {
    const stopping = new AbortController();
    const stopped = stopping.signal;
    const stop = () => stopping.abort(STOPPED);
    onStop(stop);
    signal.addEventListener('abort', stop);
    // All calls of a group listen, and so do their processes: many listeners are no leak.
    setMaxListeners(0, stopped);
    for (const group of schedule(calls)) {
      if (stopped.aborted) break;
      const running = group.map((call) => runOne({ turn, call, maxResultBytes }, stopped, send));
      for (const one of running) one.catch(stop);
      await allEnded(running);
    }
    send({ type: 'calls.finished', turn });
  };

/** Where one fails, the others are stopped, and waited for all the same: nothing runs on behind a run that has ended. */
async function allEnded(running: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(running)) if (end.status === 'rejected') throw end.reason;
}

/**
 * Neighbouring reads run side by side; every other call runs alone, after all before it and before all behind it.
 * Thus the calls of a reply see the effects of the calls above them, as the model wrote them.
 */
export function schedule(calls: readonly Call[]): Runnable[][] {
  const groups: Runnable[][] = [];
  let reads: Runnable[] | undefined;
  for (const call of calls) {
    if (call.progress !== 'approved' && call.progress !== 'started') continue;
    if (call.effect === 'read' && reads) reads.push(call);
    else groups.push([call]);
    reads = call.effect === 'read' ? groups.at(-1) : undefined;
  }
  return groups;
}
