/**
 * What must never happen on any path. The monitor watches events and states from outside and keeps books of its own:
 * what is saved, which calls the history holds without a result, who allowed what.
 */
import type { LoopContext } from '../../../machines/context.ts';
import type { LoopEvent, PendingRecord } from '../../../machines/events.ts';
import { entersHistory, totalTokens } from '../../../machines/reply.ts';
import { CLOSING_STATUSES, STOP_STATUSES } from '../../../machines/status.ts';

export interface Monitor {
  readonly isReplySaved: boolean;
  readonly isClosingSaved: boolean;
  readonly summaries: number;
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
      return { ...monitor, isReplySaved: false };
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
      const open = entersHistory(reply.kind) ? reply.calls.map(({ id }) => id) : [];
      return { ...monitor, isReplySaved: true, summaries, open, settled: [], allowed: [] };
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
      return { ...monitor, open: [], settled: [], allowed: [] };
    case 'run.closing': {
      const closed = record.results.map(({ callId }) => callId);
      must(!closed.some((id) => monitor.settled.includes(id)), 'no call gets a second result');
      const answered = [...monitor.settled, ...closed].sort();
      must(answered.join() === [...monitor.open].sort().join(), 'a closing answers every open call');
      return { ...monitor, isClosingSaved: true, open: [], settled: [], allowed: [] };
    }
  }
}

/** Looks at a state that was just entered. Returns whether a request is sent by it. */
export function enter(monitor: Monitor, context: LoopContext, state: string): boolean {
  if (state === 'asking.requesting' || state === 'finishing') {
    must(monitor.open.length === 0, 'no request while a call is unanswered');
    must(monitor.summaries === 0, 'no request after the summary');
    must(context.stop?.status !== 'cancelled', 'no request after a cancel');
    must(
      monitor.isClosingSaved === (state === 'finishing'),
      'the summary is asked for after the closing, only',
    );
    must(state === 'finishing' || isWithin(context), 'no request past a limit');
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
  if (state in STOP_STATUSES && state !== 'journal_error') {
    must(monitor.open.length === 0, 'the history of an ended run has no unanswered call');
    const isClosed = CLOSING_STATUSES.some((status) => status === state);
    must(!isClosed || context.stop?.status === state, 'the end is named by the reason that was noted');
  }
  return false;
}

const isOverBudget = ({ limits, usage, costUsd }: LoopContext): boolean =>
  (limits.tokenBudget !== null && totalTokens(usage) >= limits.tokenBudget) ||
  (limits.maxCostUsd !== null && costUsd >= limits.maxCostUsd);

const isWithin = (context: LoopContext): boolean =>
  !isOverBudget(context) && context.counters.turns < context.limits.maxTurns;
