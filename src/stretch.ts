/** One process's part of a run: from its first record until the machine has ended or waits for a person, and what it came to. */
import type { LoopContext } from '../machines/context.ts';
import type { TaskContext } from '../machines/task.ts';
import { type End, factsOf, outcomeOf } from './conclude.ts';
import { driveTask, TaskCrash, type TaskStart } from './drive-task.ts';
import { type Journal, JournalError } from './journal/journal.ts';
import type { RunResumed, RunStarted } from './journal/record.ts';
import { RunLog } from './journal/run-log.ts';
import type { Transcript } from './journal/transcript.ts';
import type { Means } from './options.ts';
import { RunCrashed, type RunOutcome } from './outcome.ts';
import { tellEnd } from './tell-end.ts';
import type { ToolRegistry } from './tools/registry.ts';
import { Toolbox } from './tools/toolbox.ts';
import { tellingRecords } from './usage-notice.ts';
import { type Works, worksOf } from './works.ts';

export interface Stretch {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly header: RunStarted;
  /** What this process writes first. */
  readonly first: RunStarted | RunResumed;
  readonly registry: ToolRegistry;
  readonly transcript: Transcript;
  /** What was spent before. */
  readonly context: LoopContext;
  readonly task: TaskContext;
  readonly openJournal: () => Journal;
  /** Who does the jobs. Default: this process, as they are asked for. */
  readonly works?: (log: RunLog) => Works;
  /** Tells whoever wants to know how the run has ended. Default: the hooks, here and now. */
  readonly tellEnd?: (outcome: RunOutcome, turn: number) => Promise<RunOutcome>;
  /** Asked for once the first record is saved. */
  readonly startFrom: () => Omit<TaskStart, 'context'>;
}

/** @throws RunCrashed for a defect */
export async function stretch(means: Means, part: Stretch): Promise<RunOutcome> {
  const { now = Date.now, onEvent = () => {} } = means;
  const { header, transcript } = part;
  let journal: Journal | undefined;
  // A clock that nobody sets, unless one is handed in.
  const { now: ticks = () => performance.now() } = means;
  const begun = ticks();
  const elapsedMs = () => ticks() - begun;
  const facts = (context: LoopContext, task: TaskContext) =>
    factsOf(
      header,
      journal?.location ?? null,
      context,
      task,
      transcript,
      now() - part.startedAt,
      means.prices,
    );
  const told = (end: End) => {
    const outcome = outcomeOf(end, transcript, facts(end.context, end.task));
    const { tellEnd: tell = (ended, turn) => tellEnd(means, header, ended, turn) } = part;
    return tell(outcome, end.context.turn);
  };
  try {
    journal = part.openJournal();
    const log = new RunLog(journal, transcript, tellingRecords(onEvent));
    await log.save(part.first);
    const { works = worksOf(means, header, new Toolbox(part.registry), elapsedMs) } = part;
    const end = await driveTask(
      { means, header, log, works: works(log) },
      { ...part.startFrom(), context: part.context },
    );
    return await recordEnd(end, await told(end), log, journal);
  } catch (error) {
    const { cause, context, task } =
      error instanceof TaskCrash ? error : { cause: error, context: part.context, task: part.task };
    if (!(cause instanceof JournalError)) throw new RunCrashed(cause, facts(context, task));
    const end: End = { status: 'journal_error', context, task, error: cause.message };
    return await told(end);
  } finally {
    await close(journal);
  }
}

/** All that counts is on the disk by then: what closing finds out changes nothing. */
async function close(journal: Journal | undefined): Promise<void> {
  try {
    await journal?.close();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
}

/**
 * For readers only: the fold finds the same end without this record, so failing to write it changes nothing but a note. A
 * suspended run has not ended.
 */
async function recordEnd(end: End, outcome: RunOutcome, log: RunLog, journal: Journal): Promise<RunOutcome> {
  if (outcome.status === 'journal_error' || outcome.status === 'suspended') return outcome;
  const { status, signal, usage, counters } = outcome;
  const { costUsd } = end.context;
  try {
    await log.save({
      type: 'run.ended',
      status,
      ...(signal ? { signal } : {}),
      turns: counters.turns,
      usage,
      costUsd,
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
