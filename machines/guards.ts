/** The loop's guards: named questions about the context and the event in hand. On another kind of event they say no. */
import * as budget from './budget.ts';
import { type LoopContext, roomForResults, summaryTokens } from './context.ts';
import type { LoopEvent } from './events.ts';
import * as limit from './limits.ts';
import type { ReplyKind } from './protocol.ts';
import { totalTokens } from './reply.ts';
import type { ClosingStatus } from './status.ts';
import { isDecidedBy, type Verdict } from './turn.ts';
import * as window from './window.ts';

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

const isWorthAnotherTry = on(
  'model.failed',
  ({ failures, limits }, event) => event.failure.retryable && failures < limits.maxRetries,
);

const isDecided = ({ context }: Scope): boolean => context.calls.every((call) => call.progress !== 'waiting');

const isLifted = ({ context, event }: Scope): boolean =>
  event.type === 'run.resumed' &&
  context.stop !== null &&
  context.counters.summaries === 0 &&
  limit.isLifted(event.limits, context.stop, context);

const onMeasure = (holds: (context: LoopContext, forecast: budget.Forecast) => boolean) =>
  on('prompt.measured', (context, { forecast }) => holds(context, forecast));

const hasAsked = ({ usage, unsettled }: LoopContext): boolean => totalTokens(usage) + unsettled.tokens > 0;

function isDenied(context: LoopContext, forecast: budget.Forecast, by: budget.Budget): boolean {
  const { maxOutputTokens } = context;
  return budget.isTooLittle(
    budget.allowanceUnder(by, context, forecast, maxOutputTokens, false),
    maxOutputTokens,
  );
}

function isShort(context: LoopContext, by: budget.Budget): boolean {
  const room = roomForResults(context);
  return room !== null && room.by === by && budget.isTooLittleForResults(room);
}

/** What cut the reply was not the model's own output limit. */
const isCutBy =
  (by: budget.Allowance['by']) =>
  ({ context: { reply, allowance } }: Scope): boolean =>
    reply?.kind === 'truncated' && allowance?.by === by;

export const guards = {
  isCurrent,

  isWorthAnotherTry,
  /** A person who set a time limit does not wait for another try of the summary. */
  isWorthAnotherSummary: (scope: Scope) =>
    isWorthAnotherTry(scope) && scope.context.stop?.status !== 'time_limit',
  isOutOfContext: on('model.failed', (_, event) => event.failure.kind === 'context'),
  isConcluding: on('wait.elapsed', (context) => context.stop !== null),

  isStopping: ({ context }: Scope) => context.stop !== null,
  isNotStopping: ({ context }: Scope) => context.stop === null,
  isCancelled: ({ context }: Scope) => context.stop?.status === 'cancelled',
  isNotCancelled: ({ context }: Scope) => context.stop?.status !== 'cancelled',
  isStoppedBy: ({ context }: Scope, { status }: { status: ClosingStatus }) => context.stop?.status === status,

  isOutOfTurns: ({ context }: Scope) => limit.isTurnLimitReached(context.limits, context.counters),
  isOutOfTokens: ({ context }: Scope) => budget.isTokenBudgetReached(context),
  isOutOfMoney: ({ context }: Scope) => budget.isCostBudgetReached(context),
  needsMeasure: ({ context }: Scope) =>
    context.limits.tokenBudget !== null || context.limits.maxCostUsd !== null || window.isNearWindow(context),
  isPastWindow: on('prompt.measured', (context, { forecast, isExact }) =>
    window.isPastWindow(context, forecast.inputTokens, isExact),
  ),
  isTooDear: onMeasure((context, forecast) => isDenied(context, forecast, 'cost_budget')),
  /** The first request is sent whatever the token budget: one is made in any case, and this one may bring an answer. */
  isTooLarge: onMeasure(
    (context, forecast) => hasAsked(context) && isDenied(context, forecast, 'token_budget'),
  ),
  /** Tokens do not forbid the first request for a summary, money does. */
  isSummaryTooDear: onMeasure((context, forecast) => {
    const wanted = summaryTokens(context);
    return budget.isTooLittle(budget.summaryAllowance(context, forecast, wanted), wanted);
  }),
  isShortOfTokens: ({ context }: Scope) => isShort(context, 'token_budget'),
  isShortOfMoney: ({ context }: Scope) => isShort(context, 'cost_budget'),
  isOutOfToolCalls: ({ context }: Scope) =>
    limit.isToolCallLimitPassed(context.limits, context.counters, context.calls.length),
  isStuck: ({ context }: Scope) => limit.isRepeating(context.limits, context.rounds),

  isContradiction: isKind('contradiction'),
  isRefusal: isKind('refused'),
  isContextExhausted: isKind('exhausted'),
  isTruncated: isKind('truncated'),
  isCutByTokens: isCutBy('token_budget'),
  isCutByMoney: isCutBy('cost_budget'),
  isCutByWindow: isCutBy('context_window'),
  canGrowOutput: (scope: Scope) =>
    isKind('truncated')(scope) && limit.canGrowOutput(scope.context.limits, scope.context.maxOutputTokens),
  canFallBack: (scope: Scope) =>
    isKind('refused')(scope) && scope.context.counters.fallbacks < scope.context.limits.maxFallbacks,
  /** Not behind a pause: a user message between it and its continuation would be refused. */
  canNudge: (scope: Scope) =>
    isKind('empty')(scope) && scope.context.nudges === 0 && scope.context.pauses === 0,
  canResumePause: (scope: Scope) =>
    isKind('paused')(scope) && scope.context.pauses < scope.context.limits.maxPauses,
  isAnswer: isKind('answer'),
  hasNoCalls: ({ context }: Scope) => context.calls.length === 0,

  /** The decision is about the call that is open now, as it was when the person saw it. */
  isBound: ({ context, event }: Scope) =>
    isCurrent({ context, event }) &&
    'callId' in event &&
    context.calls.some((call) => isDecidedBy(event, call)),
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
