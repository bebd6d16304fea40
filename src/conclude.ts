import type { LoopContext } from '../machines/context.ts';
import { exitCodeOf, type RunStatus } from '../machines/status.ts';
import type { TaskContext } from '../machines/task.ts';
import { explain, resultText } from './explain.ts';
import type { Transcript } from './journal/transcript.ts';
import type { RunFacts, RunOutcome } from './outcome.ts';
import { waitingAmong } from './waiting.ts';

/** How the run ended: what the loop and the task around it came to. */
export interface End {
  readonly status: RunStatus;
  readonly context: LoopContext;
  readonly task: TaskContext;
  /** Why the journal could not be written. */
  readonly error?: string | undefined;
}

/** What had come of a run at this point, however it ends. */
export function factsOf(
  runId: string,
  journal: string | null,
  { usage, costUsd, unsettled, counters }: LoopContext,
  { verified, checks, repairs }: TaskContext,
  transcript: Transcript,
  durationMs: number,
): RunFacts {
  return {
    runId,
    journal,
    stopReason: transcript.replies.at(-1)?.stopReason ?? null,
    usage,
    costUsd,
    unsettled,
    counters,
    verified,
    checks,
    repairs,
    denials: transcript.denials,
    durationMs,
    messages: transcript.messages,
    replies: transcript.replies.map(({ turn, attempt, stopReason, usage: tokens }) => ({
      turn,
      attempt,
      stopReason,
      usage: tokens,
    })),
  };
}

/** What the run came to, for whoever started it. */
export function outcomeOf(
  { status, context, task, error }: End,
  transcript: Transcript,
  facts: RunFacts,
): RunOutcome {
  const signal = (status === 'cancelled' && (task.stop?.signal ?? context.stop?.signal)) || null;
  return {
    status,
    exitCode: exitCodeOf(status, signal ?? undefined),
    result: resultText(status, transcript),
    signal,
    errors: explain(status, context, transcript, error),
    waiting: status === 'suspended' ? waitingAmong(context, transcript) : [],
    ...facts,
  };
}
