/** How the context changes: one function for each named action. On another kind of event nothing changes. */
import {
  type Allowance,
  addUsd,
  allowanceOf,
  LEAST_OUTPUT_TOKENS,
  summaryAllowance,
  unsettledWith,
} from './budget.ts';
import { held, type LoopContext, nextPlace, summaryTokens } from './context.ts';
import type { LoopEvent } from './events.ts';
import * as limit from './limits.ts';
import { addUsage, NO_USAGE, totalTokens } from './reply.ts';
import type { ClosingStatus } from './status.ts';
import * as turn from './turn.ts';
import * as window from './window.ts';

interface Scope {
  readonly context: LoopContext;
  readonly event: LoopEvent;
}
type Change = Partial<LoopContext>;
type Of<Type extends LoopEvent['type']> = Extract<LoopEvent, { type: Type }>;

const on =
  <Type extends LoopEvent['type']>(type: Type, change: (context: LoopContext, event: Of<Type>) => Change) =>
  ({ context, event }: Scope): Change =>
    event.type === type ? change(context, event as Of<Type>) : {};

/** Common to replies and the summary. The counters go up before the reply is saved: its tokens are spent already. */
const received = (
  context: LoopContext,
  { reply }: Of<'model.replied'>,
  counters: Partial<limit.Counters>,
): Change => ({
  reply,
  calls: turn.planCalls(reply),
  promptTokens: window.promptBehind(reply.usage),
  usage: addUsage(context.usage, reply.usage),
  costUsd: addUsd(context.costUsd, reply.costUsd),
  counters: { ...context.counters, attempts: context.counters.attempts + 1, ...counters },
  failures: 0,
  failure: null,
});

/** Where nothing was measured there was no budget, and no record tells that a request was under way. */
function unsettled(context: LoopContext, tokens: number, costUsd: number): Change {
  const { unsettled: before, forecast, allowance } = context;
  if (forecast === null || allowance === null) return {};
  return {
    ...triedSummary(context),
    unsettled: unsettledWith(before, forecast, allowance.tokens, { tokens, costUsd }),
  };
}

/** A request that is made once there is a reason to stop is one for a summary. */
const triedSummary = ({ stop, summaryTries }: LoopContext): Change =>
  stop === null ? {} : { summaryTries: summaryTries + 1 };

/** An allowance, as far as the window leaves room for it. */
function within(context: LoopContext, event: Of<'prompt.measured'>, allowance: Allowance): Allowance {
  const tokens = window.roomInWindow(context, event.forecast.inputTokens, event.isExact);
  return tokens < allowance.tokens ? { tokens, by: 'context_window' } : allowance;
}

/** The calls are those of the reply: where a cancel meets a limit, those in hand may be forgotten by now. */
const nextTurn = ({ context }: Pick<Scope, 'context'>): Change => ({
  ...nextPlace(context),
  promptTokens:
    context.reply === null
      ? context.promptTokens
      : window.promptBehindRound(context.promptTokens, context.reply.calls.length),
  maxOutputTokens: context.limits.maxOutputTokens,
  pauses: 0,
  failures: 0,
  failure: null,
  reply: null,
  calls: [],
});

export const updates = {
  receiveReply: on('model.replied', (context, event) => {
    const { reply, message, attempt } = event;
    const { turns, pauses, truncations } = context.counters;
    const counted =
      reply.kind === 'paused'
        ? { pauses: pauses + 1 }
        : reply.kind === 'truncated'
          ? { truncations: truncations + 1 }
          : { turns: turns + 1 };
    return {
      ...received(context, event, counted),
      pending: {
        type: 'reply.received',
        turn: event.turn,
        attempt,
        message,
        problems: reply.problems,
        costUsd: reply.costUsd,
      },
    };
  }),

  receiveSummary: on('model.replied', (context, event) => ({
    ...received(context, event, { summaries: context.counters.summaries + 1 }),
    ...triedSummary(context),
    pending: {
      type: 'summary.received',
      turn: event.turn,
      attempt: event.attempt,
      message: event.message,
      problems: event.reply.problems,
      costUsd: event.reply.costUsd,
    },
  })),

  noteFailure: on('model.failed', (context, { failure }) => {
    const { usage = NO_USAGE, costUsd = 0 } = failure;
    return {
      ...(totalTokens(usage) > 0 && triedSummary(context)),
      failure,
      failures: context.failures + 1,
      usage: addUsage(context.usage, usage),
      costUsd: addUsd(context.costUsd, costUsd),
      ...(failure.unsettled && unsettled(context, totalTokens(usage), costUsd)),
      counters: { ...context.counters, attempts: context.counters.attempts + 1 },
    };
  }),
  /** The request in hand is given up: nobody will hear what it came to. */
  leaveUnsettled: ({ context }: Scope): Change => unsettled(context, 0, 0),

  /** Less than the least is allowed only to the first request, whose token budget is too small for any. */
  takeMeasure: on('prompt.measured', (context, event) => {
    const { forecast } = event;
    const { tokens, by } = within(
      context,
      event,
      allowanceOf(context, forecast, context.maxOutputTokens, false),
    );
    const least = Math.min(LEAST_OUTPUT_TOKENS, context.maxOutputTokens);
    return { forecast, allowance: { tokens: Math.max(tokens, least), by } };
  }),
  takeSummaryMeasure: on('prompt.measured', (context, event) => {
    const { forecast } = event;
    return {
      forecast,
      allowance: within(context, event, summaryAllowance(context, forecast, summaryTokens(context))),
    };
  }),
  /** Where there is nothing to measure for any more, what an earlier one allowed does not bind. */
  forgetMeasure: (): Change => ({ forecast: null, allowance: null }),

  /** The same request again: after a failure, a pause or a cut reply. */
  askAgain: ({ context }: Scope): Change => ({ attempt: context.attempt + 1 }),
  resumePause: ({ context }: Scope): Change => ({ attempt: context.attempt + 1, pauses: context.pauses + 1 }),
  fallBack: ({ context }: Scope): Change => ({
    attempt: context.attempt + 1,
    counters: { ...context.counters, fallbacks: context.counters.fallbacks + 1 },
  }),
  growOutput: ({ context }: Scope): Change => ({
    attempt: context.attempt + 1,
    maxOutputTokens: limit.growOutput(context.limits, context.maxOutputTokens),
  }),

  noteVerdicts: on('calls.reviewed', ({ calls }, { verdicts }) => ({
    calls: turn.applyVerdicts(calls, verdicts),
  })),
  noteApproval: on('approval.granted', ({ calls }, { callId }) => ({
    calls: turn.advance(calls, callId, ['waiting'], 'approved'),
  })),
  noteDenial: on('approval.denied', ({ calls }, { callId }) => ({
    calls: turn.advance(calls, callId, ['waiting'], 'refused'),
  })),
  /** Counts calls, not events: one that is told twice, or of no call, counts nothing. */
  noteStarted: on('tool.started', ({ calls, counters }, { callId }) => ({
    calls: turn.advance(calls, callId, ['approved'], 'started'),
    counters: {
      ...counters,
      toolCalls:
        counters.toolCalls +
        calls.filter((call) => call.id === callId && call.progress === 'approved').length,
    },
  })),
  noteFinished: on('tool.finished', ({ calls }, { callId, fingerprint }) => ({
    calls: turn.advance(calls, callId, ['approved', 'started'], 'finished', fingerprint),
  })),

  draftResults: ({ context }: Scope): Change => {
    const rounds = limit.rememberRound(context.limits, context.rounds, turn.roundOf(context.calls));
    const callIds = context.calls.map((call) => call.id);
    const notice = limit.repetitions(rounds) >= limit.NOTICED_REPEATS ? turn.REPETITION_NOTICE : null;
    return { rounds, nudges: 0, pending: { type: 'results.recorded', turn: context.turn, callIds, notice } };
  },

  draftNudge: ({ context }: Scope): Change => ({
    nudges: context.nudges + 1,
    pending: { type: 'nudge.recorded', turn: context.turn, text: turn.NUDGE },
  }),

  /**
   * A history that ends in a pause takes no user message: one between a pause and its continuation would be refused.
   * It does so until the turn gets to its calls, however the tries after the pause went.
   */
  draftClosing: ({ context }: Scope): Change => {
    const { limits, counters, calls, pauses } = context;
    const stop = held(context.stop, 'stop reason');
    const endsInPause = pauses > 0 && calls.length === 0;
    const notice =
      limit.owesSummary(limits, counters, stop) && !endsInPause ? turn.summaryNotice(stop) : null;
    return {
      pauses: endsInPause ? pauses : 0,
      pending: {
        type: 'run.closing',
        turn: context.turn,
        stop,
        results: turn.closeCalls(calls, stop),
        notice,
      },
    };
  },

  nextTurn,
  /** A pause that nothing was said behind is still the end of the history, should a raised limit lead back to the loop. */
  closeTurn: ({ context }: Scope): Change => ({ ...nextTurn({ context }), pauses: context.pauses }),
  forgetCalls: (): Change => ({ calls: [] }),
  forgetPending: (): Change => ({ pending: null }),

  /** A person may have added any number of words. */
  takeLimits: on('run.resumed', ({ maxOutputTokens }, { limits }) => ({
    limits,
    promptTokens: null,
    maxOutputTokens: Math.max(maxOutputTokens, limits.maxOutputTokens),
  })),
  forgetStop: (): Change => ({ stop: null }),
  /** No limit takes the place of a cancel: a person who wants to leave is owed no summary. */
  stopFor: ({ context }: Scope, { status }: { status: ClosingStatus }): Change =>
    context.stop?.status === 'cancelled' ? {} : { stop: { status } },
  cancel: on('run.cancelled', (_, { signal, atQuestion }) => ({
    stop: { status: 'cancelled', signal, ...(atQuestion && { atQuestion }) },
  })),
};
