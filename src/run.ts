/** Composition: the loop machine with real jobs, a journal and a model, run to its end. */
import { createActor } from 'xstate';
import { missingImplementations } from '../machines/check.ts';
import { initialContext, type LoopContext } from '../machines/context.ts';
import { loopMachine } from '../machines/loop.machine.ts';
import type { StopStatus } from '../machines/status.ts';
import { Jobs } from './actors/job.ts';
import { type End, factsOf, outcomeOf } from './conclude.ts';
import { headerOf } from './header.ts';
import { fileJournal } from './journal/file.ts';
import { type Journal, JournalError } from './journal/journal.ts';
import { newRunId, runPath, stateFolder } from './journal/location.ts';
import type { RunStarted } from './journal/record.ts';
import { RunLog } from './journal/run-log.ts';
import { Transcript } from './journal/transcript.ts';
import type { RunOptions } from './options.ts';
import { RunCrashed, type RunOutcome } from './outcome.ts';
import { provideJobs } from './provide-jobs.ts';
import { builtinTools, toolRegistry } from './tools/registry.ts';
import { Toolbox } from './tools/toolbox.ts';
import { watchTransitions } from './transitions.ts';

/** How long aborted jobs may take to end once the machine has. */
const LONGEST_WIND_DOWN_MS = 6_000;

/**
 * Runs a task to its stop status. Expected ends, failures of the model and of the journal among them, are outcomes.
 * @throws TypeError for options that cannot work (an empty task, no such folder); nothing was created then.
 * @throws RunCrashed for a defect, with what is known of the run until then.
 */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const { now = Date.now, random = Math.random, onEvent = () => {} } = options;
  const startedAt = now();
  const registry = toolRegistry(options.tools ?? builtinTools());
  const header = headerOf(options, options.runId ?? newRunId(startedAt, random), registry);
  const transcript = new Transcript();
  let journal: Journal | undefined;
  const facts = (context: LoopContext) =>
    factsOf(header.runId, journal?.location ?? null, context, transcript, now() - startedAt);
  try {
    journal = options.journal ?? fileJournal(runPath(stateFolder(), header.runId), now);
    const log = new RunLog(journal, transcript, (record) => onEvent({ type: 'record', record }));
    await log.save(header);
    const end = await drive(options, header, log, new Toolbox(registry));
    const outcome = outcomeOf(end, transcript, facts(end.context));
    return await recordEnd(outcome, log, journal);
  } catch (error) {
    const { cause, context } =
      error instanceof Crash ? error : { cause: error, context: initialContext(header) };
    if (!(cause instanceof JournalError)) throw new RunCrashed(cause, facts(context));
    return outcomeOf({ status: 'journal_error', context, error: cause.message }, transcript, facts(context));
  } finally {
    await journal?.close();
  }
}

/** A job or the machine itself broke, and this is how far the run had come. */
class Crash extends Error {
  constructor(
    cause: unknown,
    readonly context: LoopContext,
  ) {
    super('crashed', { cause });
  }
}

/** Starts the machine with its jobs and waits until it has ended and every job with it. */
function drive(options: RunOptions, header: RunStarted, log: RunLog, toolbox: Toolbox): Promise<End> {
  const { signal, onEvent = () => {} } = options;
  return new Promise<End>((resolve, reject) => {
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
    const machine = loopMachine.provide({ actors: provideJobs(options, header, log, toolbox, jobs) });
    const missing = missingImplementations(machine);
    if (missing.length > 0) throw new Error(`the loop machine lacks ${missing.join(', ')}`);
    const actor = createActor(machine, {
      input: { limits: header.limits },
      ...(options.onEvent ? { inspect: watchTransitions(onEvent) } : {}),
    });
    const cancel = () => {
      if (actor.getSnapshot().status !== 'active') return;
      actor.send({ type: 'run.cancelled', signal: signal?.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT' });
    };
    // Not at once: a listener of events may abort between a record and the event that tells the machine of it.
    const cancelSoon = () => queueMicrotask(cancel);
    const watching = actor.subscribe({
      error: fail,
      complete: () => {
        const { value, context } = actor.getSnapshot();
        const end = { status: value as StopStatus, context, error: log.failure?.message };
        leave(() => resolve(end));
      },
    });
    actor.start();
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancelSoon, { once: true });
  });
}

/** For readers only: the fold finds the same end without this record, so failing to write it changes nothing but a note. */
async function recordEnd(outcome: RunOutcome, log: RunLog, journal: Journal): Promise<RunOutcome> {
  if (outcome.status === 'journal_error') return outcome;
  const { status, signal, usage, counters } = outcome;
  try {
    await log.save({
      type: 'run.ended',
      status,
      ...(signal ? { signal } : {}),
      turns: counters.turns,
      usage,
    });
    return outcome;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return {
      ...outcome,
      errors: [...outcome.errors, `The end of the run could not be noted in ${journal.location}.`],
    };
  }
}
