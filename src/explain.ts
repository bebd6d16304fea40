import type { LoopContext } from '../machines/context.ts';
import type { ReplyKind } from '../machines/protocol.ts';
import type { RunStatus } from '../machines/status.ts';
import { isPastWindow, windowOf } from '../machines/window.ts';
import type { ReplySeen, Transcript } from './journal/transcript.ts';

/** What went wrong, one sentence each, for a person: in the words of whoever said it first. */
export function explain(
  status: RunStatus,
  context: LoopContext,
  transcript: Transcript,
  journalFailure?: string,
): string[] {
  const last = transcript.replies.at(-1);
  switch (status) {
    case 'answered':
    case 'cancelled':
    case 'suspended':
      return [];
    case 'unverified':
      return [checkFailure(transcript)];
    case 'model_error':
      return [`${context.failure?.message}${context.failure?.status === 401 ? CHECK_KEY : ''}`];
    case 'context_exhausted':
      return [context.failure?.message ?? outOfWindow(context)];
    case 'journal_error':
      return [journalFailure ?? 'A record could not be saved.'];
    case 'protocol_error':
      return [
        `The model's reply contradicts itself: ${context.reply?.problems.join('; ')}. Nothing of it was executed.`,
      ];
    case 'refused':
      return [`The model refused the request${explanationOf(last)}`];
    case 'truncated':
      return [
        `The reply was cut off by the output limit of ${context.maxOutputTokens} tokens (truncation); no call of it was executed. Raise the limits maxOutputTokens and outputCeiling (--max-output-tokens), or ask for less.`,
      ];
    case 'model_stopped':
      return [stoppedBecause(last)];
    default:
      return summaryProblem(context, last);
  }
}

function checkFailure({ checks }: Transcript): string {
  const check = checks.at(-1);
  const how = check?.exitCode === null ? 'did not come to its end' : `exit code ${check?.exitCode}`;
  return `The check failed to the last (${how}): ${check?.command}. What it printed is in the journal.`;
}

/** A measure that was exact when it was too much still is. */
function outOfWindow(context: LoopContext): string {
  const { forecast } = context;
  const window = windowOf(context);
  return forecast !== null && isPastWindow(context, forecast.inputTokens, true)
    ? `The request was not sent: a prompt of ${forecast.inputTokens} tokens leaves no room in the context window of ${window}. Go on with the option contextEdits of the client (--context-edits), or fork the run at an earlier record.`
    : "The conversation no longer fits the model's context window.";
}

const CHECK_KEY = '. Check the key that the client was given (ANTHROPIC_API_KEY, or ANTHROPIC_AUTH_TOKEN).';

function explanationOf(reply: ReplySeen | undefined): string {
  const details = reply?.message.stop_details as { explanation?: unknown } | null | undefined;
  return typeof details?.explanation === 'string' ? `: ${details.explanation}` : '.';
}

function stoppedBecause(reply: ReplySeen | undefined): string {
  if (reply?.kind === 'empty') return 'The model ended its turn with an empty reply.';
  if (reply?.kind === 'paused') return 'The model paused its turn again and again.';
  return `The model stopped for a reason that pawl does not know: ${JSON.stringify(reply?.stopReason)}.`;
}

/** A limit was reached: what matters is whether there is an answer all the same. */
function summaryProblem(context: LoopContext, last: ReplySeen | undefined): string[] {
  if (!context.limits.summary) return [];
  if (context.failure) return [`No summary was given: ${context.failure.message}`];
  if (last?.isSummary && last.kind !== 'answer')
    return [
      `No summary was given: asked to conclude without tools, the model ${last.kind === 'calls' ? 'called a tool, which was not run' : `sent a reply that is no answer (${last.kind})`}.`,
    ];
  return [];
}

/** The text that counts as the run's result: an answer, or what there is of a reply that was cut or refused. */
export function resultText(status: RunStatus, transcript: Transcript): string | null {
  const last = transcript.replies.at(-1);
  if (last === undefined || last.text.trim() === '') return null;
  return last.kind === 'answer' || PARTIAL[status]?.includes(last.kind) ? last.text : null;
}

/** The run may also end so without a reply of that kind; what the model said before is no result then. */
const PARTIAL: Partial<Record<RunStatus, readonly ReplyKind[]>> = {
  truncated: ['truncated'],
  refused: ['refused'],
  context_exhausted: ['exhausted', 'truncated'],
};
