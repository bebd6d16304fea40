import type { JobInputs, JobName } from '../../machines/context.ts';
import type { LoopEvent, StopCalls } from '../../machines/events.ts';
import type { Effect } from '../../machines/protocol.ts';
import type { Call } from '../../machines/turn.ts';
import type { JobScope } from '../../src/actors/job.ts';

/** A job's scope without a machine around it: what the job says is kept. */
export function scopeFor<Name extends JobName>(input: JobInputs[Name]) {
  const events: LoopEvent[] = [];
  const controller = new AbortController();
  const listeners: ((event: StopCalls) => void)[] = [];
  const scope: JobScope<Name> = {
    input,
    signal: controller.signal,
    send: (event) => void events.push(event),
    onStop: (listener) => void listeners.push(listener),
  };
  const stop = () => {
    for (const listener of listeners) listener({ type: 'calls.stop', stop: { status: 'cancelled' } });
  };
  return { scope, events, abort: () => controller.abort(), stop };
}

export const callOf = (
  id: string,
  name: string,
  effect: Effect,
  progress: 'waiting' | 'approved' | 'started' | 'finished' = 'approved',
): Call => ({ id, name, progress, effect, fingerprint: `${id} asked` });

/** A promise that is settled from outside. */
export function deferred<Value = void>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
