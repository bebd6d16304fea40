import type { LoopContext } from '../machines/context.ts';
import { exitCodeOf, type StopStatus } from '../machines/status.ts';
import { explain, resultText } from './explain.ts';
import type { RunStarted } from './journal/record.ts';
import type { Transcript } from './journal/transcript.ts';
import type { RunOutcome } from './outcome.ts';

/** How the machine ended. */
export interface End {
  readonly status: StopStatus;
  readonly context: LoopContext;
  /** Why the journal could not be written. */
  readonly error?: string | undefined;
}

/** What the run came to, for whoever started it. */
export function outcomeOf(
  header: RunStarted,
  journal: string | null,
  { status, context, error }: End,
  transcript: Transcript,
  durationMs: number,
): RunOutcome {
  const signal = (status === 'cancelled' && context.stop?.signal) || null;
  return {
    status,
    exitCode: exitCodeOf(status, signal ?? undefined),
    result: resultText(status, transcript),
    runId: header.runId,
    journal,
    stopReason: transcript.replies.at(-1)?.stopReason ?? null,
    signal,
    usage: context.usage,
    counters: context.counters,
    errors: explain(status, context, transcript, error),
    denials: transcript.denials,
    durationMs,
    messages: transcript.messages,
    replies: transcript.replies.map(({ turn, attempt, stopReason, usage }) => ({
      turn,
      attempt,
      stopReason,
      usage,
    })),
  };
}
