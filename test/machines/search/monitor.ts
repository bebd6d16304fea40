/**
 * What must never happen on any path. The monitor watches events and states from outside and keeps books of its own:
 * what is saved, which calls the history holds without a result, who allowed what, which request was measured.
 */
import { LEAST_OUTPUT_TOKENS } from '../../../machines/budget.ts';
import { jobInput, type LoopContext } from '../../../machines/context.ts';
import type { LoopEvent, PendingRecord } from '../../../machines/events.ts';
import { entersHistory, totalTokens } from '../../../machines/reply.ts';
import { CLOSING_STATUSES, STOP_STATUSES } from '../../../machines/status.ts';

export interface Monitor {
  readonly isReplySaved: boolean;
  readonly isClosingSaved: boolean;
  readonly summaries: number;
  /** The request that was measured last, as "turn.attempt". */
  readonly measured: string;
  /** Where there is a window: what the last reply has read and said. */
  readonly read: number;
  /** Whether that measure was no count of the service. */
  readonly isEstimate: boolean;
  readonly refusals: number;
  /** Empty replies since the last results that were answered by asking for an answer. */
  readonly nudges: number;
  /** The service wants the last reply of the history back as it is. */
  readonly endsInPause: boolean;
  /** Calls in the saved history that no saved message answers. */
  readonly open: readonly string[];
  /** Calls whose result is known: refused, denied, finished. */
  readonly settled: readonly string[];
  readonly allowed: readonly string[];
}

export const START: Monitor = {
  isReplySaved: false,
  isClosingSaved: false,
  summaries: 0,
  measured: '',
  read: 0,
  isEstimate: false,
  refusals: 0,
  nudges: 0,
  endsInPause: false,
  open: [],
  settled: [],
  allowed: [],
};

function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Error(`broken rule: ${rule}`);
}

/** Books what an accepted event says. `context` is the one before it. */
export function hear(monitor: Monitor, context: LoopContext, event: LoopEvent): Monitor {
  const { settled, allowed } = monitor;
  switch (event.type) {
    case 'model.replied':
      return {
        ...monitor,
        isReplySaved: false,
        read: context.limits.contextWindow === null ? 0 : totalTokens(event.reply.usage),
      };
    case 'prompt.measured':
      return { ...monitor, measured: `${event.turn}.${event.attempt}`, isEstimate: !event.isExact };
    case 'calls.reviewed': {
      const of = (word: string) =>
        event.verdicts.filter(({ verdict }) => verdict === word).map(({ callId }) => callId);
      return { ...monitor, settled: [...settled, ...of('refuse')], allowed: [...allowed, ...of('approve')] };
    }
    case 'approval.granted':
      if (!isWaiting(context, event.callId)) return monitor;
      return { ...monitor, allowed: [...allowed, event.callId].sort() };
    case 'approval.denied':
      if (!isWaiting(context, event.callId)) return monitor;
      return { ...monitor, settled: [...settled, event.callId].sort() };
    case 'tool.finished':
      if (!allowed.includes(event.callId) || settled.includes(event.callId)) return monitor;
      return { ...monitor, settled: [...settled, event.callId].sort() };
    case 'record.saved':
      must(context.pending !== null, 'what was saved was asked for');
      return save(monitor, context, context.pending);
    default:
      return monitor;
  }
}

const isWaiting = ({ calls }: LoopContext, callId: string) =>
  calls.some(({ id, progress }) => id === callId && progress === 'waiting');

function save(monitor: Monitor, { reply }: LoopContext, record: PendingRecord): Monitor {
  switch (record.type) {
    case 'reply.received':
    case 'summary.received': {
      must(reply !== null, 'a saved reply is known');
      must(monitor.open.length === 0, 'no reply while calls of an earlier one are unanswered');
      const summaries = monitor.summaries + (record.type === 'summary.received' ? 1 : 0);
      must(summaries <= 1, 'one summary');
      const enters = entersHistory(reply.kind);
      const open = enters ? reply.calls.map(({ id }) => id) : [];
      const refusals = monitor.refusals + (reply.kind === 'refused' ? 1 : 0);
      const endsInPause = enters ? reply.kind === 'paused' : monitor.endsInPause;
      const heard = { isReplySaved: true, summaries, refusals, endsInPause };
      return { ...monitor, ...heard, open, settled: [], allowed: [] };
    }
    case 'results.recorded':
      must(
        record.callIds.join() === monitor.open.join(),
        'the results are those of all calls, in call order',
      );
      must(
        record.callIds.every((id) => monitor.settled.includes(id)),
        'every call has a result before the results are saved',
      );
      return { ...monitor, nudges: 0, endsInPause: false, open: [], settled: [], allowed: [] };
    case 'nudge.recorded':
      must(monitor.nudges === 0, 'one nudge in a row');
      must(!monitor.endsInPause, 'no word of the user between a pause and its continuation');
      must(monitor.open.length === 0, 'no nudge while a call is unanswered');
      return { ...monitor, nudges: 1 };
    case 'run.closing': {
      const closed = record.results.map(({ callId }) => callId);
      must(!closed.some((id) => monitor.settled.includes(id)), 'no call gets a second result');
      const answered = [...monitor.settled, ...closed].sort();
      must(answered.join() === [...monitor.open].sort().join(), 'a closing answers every open call');
      const says = answered.length > 0 || record.notice !== null;
      must(!monitor.endsInPause || !says, 'no word of the user between a pause and its continuation');
      return { ...monitor, isClosingSaved: true, open: [], settled: [], allowed: [] };
    }
  }
}

/** Looks at a state that was just entered. Returns whether a request is sent by it. */
export function enter(monitor: Monitor, context: LoopContext, state: string): boolean {
  if (state === 'asking.requesting' || state === 'finishing.requesting') {
    const isSummary = state === 'finishing.requesting';
    must(monitor.open.length === 0, 'no request while a call is unanswered');
    must(monitor.summaries === 0, 'no request after the summary');
    must(context.stop?.status !== 'cancelled', 'no request after a cancel');
    must(monitor.isClosingSaved === isSummary, 'the summary is asked for after the closing, only');
    must(isSummary || isWithin(context), 'no request past a limit');
    must(monitor.refusals <= context.limits.maxFallbacks, 'no more fallbacks than allowed');
    lookAtRequest(monitor, context, isSummary);
    return true;
  }
  if (state === 'executing.running') {
    const { calls, reply, limits, counters } = context;
    must(monitor.isReplySaved, 'nothing runs before its reply is saved');
    must(reply?.kind === 'calls', 'only a complete reply without contradictions leads to execution');
    must(!isOverBudget(context), 'nothing runs over the budget');
    const { maxToolCalls } = limits;
    must(
      maxToolCalls === null || counters.toolCalls + calls.length <= maxToolCalls,
      'no call past the limit',
    );
    must(
      calls.every(({ id, progress }) => progress === 'refused' || monitor.allowed.includes(id)),
      'only calls that were allowed are handed to execution',
    );
  }
  if (state === 'backingOff')
    must(context.stop?.status !== 'time_limit', 'no wait for the summary of a run whose time is over');
  if (state in STOP_STATUSES && state !== 'journal_error') {
    must(monitor.open.length === 0, 'the history of an ended run has no unanswered call');
    const isClosed = CLOSING_STATUSES.some((status) => status === state);
    must(!isClosed || context.stop?.status === state, 'the end is named by the reason that was noted');
  }
  return false;
}

/** The worst that the request can come to must fit, and a summary behind it that reads everything once more. */
function lookAtRequest(monitor: Monitor, context: LoopContext, isSummary: boolean) {
  const { measured, refusals } = monitor;
  const { limits, turn, attempt, usage, costUsd, forecast, allowance } = context;
  const input = (isSummary ? jobInput.askForSummary : jobInput.askModel)({ context });
  must(input.fallback === refusals > 0, 'after a refusal the other model is asked, and not before');
  const window = refusals > 0 ? limits.fallbackWindow : limits.contextWindow;
  if (window !== null) lookAtWindow(monitor, context, window, input.maxOutputTokens);
  else if (limits.tokenBudget === null && limits.maxCostUsd === null)
    must(forecast === null && allowance === null, 'without a budget nothing is held against a request');
  if (limits.tokenBudget === null && limits.maxCostUsd === null) return;
  must(measured === `${turn}.${attempt}`, 'no request of a budgeted run without a measure of it');
  must(forecast !== null && allowance !== null, 'a measure is kept');
  const { maxOutputTokens: output } = input;
  must(output <= allowance.tokens, 'nothing is asked past an allowance');
  const { inputTokens, inputUsd, outputUsd } = forecast;
  const summary = limits.summary && !isSummary ? LEAST_OUTPUT_TOKENS : 0;
  const read = inputTokens + (summary > 0 ? inputTokens + output : 0);
  const dollars = costUsd + read * inputUsd + (output + summary) * outputUsd;
  must(limits.maxCostUsd === null || dollars <= limits.maxCostUsd, 'no request past the money, at its worst');
  const isFree = isSummary || totalTokens(usage) === 0;
  const tokens = totalTokens(usage) + read + output + summary;
  must(
    limits.tokenBudget === null || tokens <= limits.tokenBudget || (isFree && output <= LEAST_OUTPUT_TOKENS),
    'no request past the tokens, at its worst, but for the first and the last, and these say little',
  );
}

/** What could be too much was measured, and what was counted to be too much is not sent. */
function lookAtWindow(
  { measured, read, isEstimate }: Monitor,
  { turn, attempt, promptTokens, forecast }: LoopContext,
  window: number,
  output: number,
) {
  if (measured === `${turn}.${attempt}`) {
    must(forecast !== null, 'a measure is kept');
    must(isEstimate || forecast.inputTokens + output <= window, 'no request past the window');
    return;
  }
  must(promptTokens !== null && promptTokens >= read, 'what nobody knows is measured');
  must(promptTokens + output <= window, 'what could be too much is measured');
}

const isOverBudget = ({ limits, usage, costUsd }: LoopContext): boolean =>
  (limits.tokenBudget !== null && totalTokens(usage) >= limits.tokenBudget) ||
  (limits.maxCostUsd !== null && costUsd >= limits.maxCostUsd);

const isWithin = (context: LoopContext): boolean =>
  !isOverBudget(context) && context.counters.turns < context.limits.maxTurns;
