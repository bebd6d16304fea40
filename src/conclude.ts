import type { LoopContext } from '../machines/context.ts';
import { exitCodeOf, type RunStatus } from '../machines/status.ts';
import type { TaskContext } from '../machines/task.ts';
import type { Prices } from './budget/price-list.ts';
import { costOfReply } from './budget/prices.ts';
import { explain, resultText } from './explain.ts';
import type { RunStarted } from './journal/record.ts';
import type { ReplySeen, Transcript } from './journal/transcript.ts';
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
  header: RunStarted,
  journal: string | null,
  { usage, costUsd, unsettled, counters }: LoopContext,
  { verified, checks, repairs }: TaskContext,
  transcript: Transcript,
  durationMs: number,
  prices: Prices | undefined,
): RunFacts {
  return {
    runId: header.runId,
    journal,
    stopReason: transcript.replies.at(-1)?.stopReason ?? null,
    usage,
    costUsd: isPriced(header, transcript, prices) ? costUsd : null,
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

/**
 * Whether the sum of the costs is all that was spent. Records say 0 of a reply that is free, and of one whose price nobody
 * knew: with the former, the prices say so too.
 */
function isPriced(
  { model, fallbackModel }: RunStarted,
  { replies, isUnpriced }: Transcript,
  prices: Prices | undefined,
): boolean {
  const isFree = ({ message }: ReplySeen) =>
    costOfReply(message, model, prices) === 0 ||
    (fallbackModel !== null && costOfReply(message, fallbackModel, prices) === 0);
  return !isUnpriced && replies.every((reply) => reply.costUsd > 0 || isFree(reply));
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
