import type { LoopContext } from '../machines/context.ts';
import { exitCodeOf, type RunStatus } from '../machines/status.ts';
import { explain, resultText } from './explain.ts';
import type { Transcript } from './journal/transcript.ts';
import type { RunFacts, RunOutcome } from './outcome.ts';
import { waitingAmong } from './waiting.ts';

/** How the machine ended, or was left. */
export interface End {
  readonly status: RunStatus;
  readonly context: LoopContext;
  /** Why the journal could not be written. */
  readonly error?: string | undefined;
}

/** What had come of a run at this point, however it ends. */
export function factsOf(
  runId: string,
  journal: string | null,
  { usage, costUsd, counters }: LoopContext,
  transcript: Transcript,
  durationMs: number,
): RunFacts {
  return {
    runId,
    journal,
    stopReason: transcript.replies.at(-1)?.stopReason ?? null,
    usage,
    costUsd,
    counters,
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
  { status, context, error }: End,
  transcript: Transcript,
  facts: RunFacts,
): RunOutcome {
  const signal = (status === 'cancelled' && context.stop?.signal) || null;
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
