import { createActor, type Snapshot } from 'xstate';
import { missingImplementations } from '../machines/check.ts';
import type { LoopContext, LoopInput } from '../machines/context.ts';
import { loopMachine } from '../machines/loop.machine.ts';
import type { StopStatus } from '../machines/status.ts';
import type { TaskContext } from '../machines/task.ts';
import { Jobs } from './actors/job.ts';
import type { RunStarted } from './journal/record.ts';
import type { RunLog } from './journal/run-log.ts';
import { stateKeeper } from './keep-state.ts';
import type { Means } from './options.ts';
import { watchTransitions } from './transitions.ts';
import { provideJobs, type Works } from './works.ts';

/** How long aborted jobs may take to end once the machine has. */
const LONGEST_WIND_DOWN_MS = 6_000;

/** The beginning, or the state that the records tell of, in the persisted form. */
export type Start = { readonly input: LoopInput } | { readonly snapshot: Snapshot<unknown> };

/** How the loop ended, or was left: `suspended` where it waits for a person who is not there. */
export interface LoopEnd {
  readonly status: StopStatus | 'suspended';
  readonly context: LoopContext;
}

/** What the loop is driven with. */
export interface Work {
  readonly means: Pick<Means, 'signal' | 'onEvent' | 'inspect'>;
  readonly header: RunStarted;
  readonly log: RunLog;
  readonly works: Works;
}

/** A job or the machine itself broke, and this is how far the run had come. */
export class Crash extends Error {
  constructor(
    cause: unknown,
    readonly context: LoopContext,
  ) {
    super('crashed', { cause });
  }
}

/**
 * Starts the loop with its jobs and waits until it has ended or is left, and every job with it. Rejects with Crash.
 * @param task how far the task around it has come
 */
export function drive(work: Work, start: Start, task: TaskContext): Promise<LoopEnd> {
  const { means, header, log, works } = work;
  const { signal, onEvent, inspect } = means;
  return new Promise<LoopEnd>((resolve, reject) => {
    const leave = (settle: () => void) => {
      signal?.removeEventListener('abort', cancelSoon);
      jobs.idle(LONGEST_WIND_DOWN_MS).then(settle, reject);
    };
    const fail = (error: unknown) => {
      const { context } = actor.getSnapshot();
      watching.unsubscribe();
      actor.stop();
      leave(() => reject(new Crash(error, context)));
    };
    const jobs = new Jobs(fail);
    const machine = loopMachine.provide({ actors: provideJobs(works, jobs) });
    const input = { limits: header.limits };
    const missing = missingImplementations(machine);
    if (missing.length > 0) throw new Error(`the loop machine lacks ${missing.join(', ')}`);
    const resumed =
      'snapshot' in start
        ? createActor(machine, { input, snapshot: start.snapshot }).getSnapshot()
        : undefined;
    const actor = createActor(machine, {
      // The machine does not look at its input where it starts from a snapshot.
      input,
      ...start,
      ...inspecting(onEvent && watchTransitions(onEvent, resumed), inspect),
    });
    const cancel = () => {
      if (actor.getSnapshot().status !== 'active') return;
      actor.send({ type: 'run.cancelled', signal: signal?.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT' });
    };
    // Not at once: a listener of events may abort between a record and the event that tells the machine of it.
    const cancelSoon = () => queueMicrotask(cancel);
    const keep = stateKeeper(log.journal, task);
    const suspend = (context: LoopContext) => {
      watching.unsubscribe();
      actor.stop();
      leave(() => resolve({ status: 'suspended', context }));
    };
    const watching = actor.subscribe({
      next: (snapshot) => {
        keep(snapshot);
        if (snapshot.matches({ awaitingApproval: 'suspended' })) suspend(snapshot.context);
      },
      error: fail,
      complete: () => {
        const { value, context } = actor.getSnapshot();
        leave(() => resolve({ status: value as StopStatus, context }));
      },
    });
    actor.start();
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancelSoon, { once: true });
  });
}

type Inspect = NonNullable<Means['inspect']>;

/** Nobody who looks costs nothing: xstate makes its events only for somebody. */
function inspecting(own: Inspect | undefined, other: Inspect | undefined): { inspect?: Inspect } {
  if (own === undefined || other === undefined)
    return own || other ? { inspect: (own ?? other) as Inspect } : {};
  return {
    inspect: (inspected) => {
      own(inspected);
      other(inspected);
    },
  };
}
