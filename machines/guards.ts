/** The loop's guards: named questions about the context and the event in hand. On another kind of event they say no. */
import type { LoopContext } from './context.ts';
import type { LoopEvent } from './events.ts';
import * as limit from './limits.ts';
import type { ReplyKind } from './protocol.ts';
import type { ClosingStatus } from './status.ts';
import type { Verdict } from './turn.ts';

interface Scope {
  readonly context: LoopContext;
  readonly event: LoopEvent;
}
type Of<Type extends LoopEvent['type']> = Extract<LoopEvent, { type: Type }>;

const on =
  <Type extends LoopEvent['type']>(type: Type, holds: (context: LoopContext, event: Of<Type>) => boolean) =>
  ({ context, event }: Scope): boolean =>
    event.type === type && isCurrent({ context, event }) && holds(context, event as Of<Type>);

/** Whether the event answers the question that is open now, and not an earlier one. */
const isCurrent = ({ context, event }: Scope): boolean =>
  'turn' in event &&
  event.turn === context.turn &&
  (!('attempt' in event) || event.attempt === context.attempt);

const isKind =
  (kind: ReplyKind) =>
  ({ context }: Scope): boolean =>
    context.reply?.kind === kind;

const hasVerdict = (verdict: Verdict['verdict']) =>
  on('calls.reviewed', (_, event) => event.verdicts.some((one) => one.verdict === verdict));

const isSaved = on('record.saved', (context, event) => event.record === context.pending?.type);

const isDecided = ({ context }: Scope): boolean => context.calls.every((call) => call.progress !== 'waiting');

const isLifted = ({ context, event }: Scope): boolean =>
  event.type === 'run.resumed' &&
  context.stop !== null &&
  context.counters.summaries === 0 &&
  limit.isLifted(event.limits, context.stop, context);

export const guards = {
  isCurrent,

  isWorthAnotherTry: on(
    'model.failed',
    ({ failures, limits }, event) => event.failure.retryable && failures < limits.maxRetries,
  ),
  isOutOfContext: on('model.failed', (_, event) => event.failure.kind === 'context'),
  isConcluding: on('wait.elapsed', (context) => context.stop !== null),

  isStopping: ({ context }: Scope) => context.stop !== null,
  isNotStopping: ({ context }: Scope) => context.stop === null,
  isCancelled: ({ context }: Scope) => context.stop?.status === 'cancelled',
  isNotCancelled: ({ context }: Scope) => context.stop?.status !== 'cancelled',
  isStoppedBy: ({ context }: Scope, { status }: { status: ClosingStatus }) => context.stop?.status === status,

  isOutOfTurns: ({ context }: Scope) => limit.isTurnLimitReached(context.limits, context.counters),
  isOutOfTokens: ({ context }: Scope) => limit.isTokenBudgetReached(context.limits, context.usage),
  isOutOfMoney: ({ context }: Scope) => limit.isCostBudgetReached(context.limits, context.costUsd),
  isOutOfToolCalls: ({ context }: Scope) =>
    limit.isToolCallLimitPassed(context.limits, context.counters, context.calls.length),
  isStuck: ({ context }: Scope) => limit.isRepeating(context.limits, context.rounds),

  isContradiction: isKind('contradiction'),
  isRefusal: isKind('refused'),
  isContextExhausted: isKind('exhausted'),
  isTruncated: isKind('truncated'),
  canGrowOutput: (scope: Scope) =>
    isKind('truncated')(scope) && limit.canGrowOutput(scope.context.limits, scope.context.maxOutputTokens),
  canResumePause: (scope: Scope) =>
    isKind('paused')(scope) && scope.context.pauses < scope.context.limits.maxPauses,
  isAnswer: isKind('answer'),
  hasNoCalls: ({ context }: Scope) => context.calls.length === 0,

  needsApproval: hasVerdict('ask'),
  hasApproved: hasVerdict('approve'),
  isDecided,
  isDecidedWithApproved: (scope: Scope) =>
    isDecided(scope) && scope.context.calls.some((call) => call.progress === 'approved'),

  /** Before the summary alone: whatever is called in it is never run. */
  isLifted,
  isLiftedBeforeCalls: (scope: Scope) => isLifted(scope) && scope.context.calls.length > 0,

  isSaved,
  /** The person cancelled while a closing for another reason was being saved. */
  isCancelledMeanwhile: (scope: Scope) =>
    isSaved(scope) &&
    scope.context.pending?.type === 'run.closing' &&
    scope.context.pending.stop.status !== scope.context.stop?.status,
  owesSummary: (scope: Scope) =>
    isSaved(scope) && limit.owesSummary(scope.context.limits, scope.context.counters, scope.context.stop),
  hasOpenCalls: (scope: Scope) => isSaved(scope) && scope.context.calls.length > 0,
};
