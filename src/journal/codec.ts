import type { Actor, SnapshotFrom } from 'xstate';
import type { LoopEvent } from '../../machines/events.ts';
import type { loopMachine } from '../../machines/loop.machine.ts';
import { assertNever } from '../../machines/never.ts';
import type { Usage } from '../../machines/protocol.ts';
import { digestReply, NO_USAGE, usageOf } from '../../machines/reply.ts';
import type { Stop } from '../../machines/status.ts';
import type { RecordBody } from './record.ts';

type Snapshot = SnapshotFrom<typeof loopMachine>;
type Of<Type extends RecordBody['type']> = Extract<RecordBody, { type: Type }>;
/** The machine, or somebody who looks at each event before the machine gets it. */
export type Told = Pick<Actor<typeof loopMachine>, 'getSnapshot' | 'send'>;

/**
 * Tells the machine what a record says. Facts that a job recorded are one event each. What the machine itself wanted
 * saved is two: what led to it, and that it was saved.
 * @param usedIds ids of the calls before this record
 * @param next the record after this one, if there is one
 */
export function replay(
  actor: Told,
  record: RecordBody,
  usedIds: ReadonlySet<string>,
  next?: RecordBody,
): void {
  switch (record.type) {
    case 'reply.received':
    case 'summary.received': {
      const { turn, attempt, message, costUsd } = record;
      lead(actor, record);
      actor.send({
        type: 'model.replied',
        turn,
        attempt,
        message,
        reply: digestReply(message, usedIds, costUsd),
      });
      actor.send({ type: 'record.saved', record: record.type, turn });
      return;
    }
    case 'results.recorded':
      // Where no call was to be run, the machine is there by itself.
      if (!actor.getSnapshot().matches({ persisting: 'results' }))
        actor.send({ type: 'calls.finished', turn: record.turn });
      actor.send({ type: 'record.saved', record: record.type, turn: record.turn });
      return;
    case 'run.closing':
      for (const event of closingEvents(record, next, () => actor.getSnapshot())) actor.send(event);
      return;
    case 'nudge.recorded':
      actor.send({ type: 'record.saved', record: record.type, turn: record.turn });
      return;
    case 'prompt.measured':
      endWait(actor);
      // Under limits without a budget, nobody asks.
      if (isMeasuring(actor)) actor.send(record);
      return;
    case 'attempt.failed':
      lead(actor, record);
      actor.send({ ...record, type: 'model.failed' });
      return;
    case 'calls.reviewed':
    case 'approval.granted':
    case 'approval.denied':
    case 'tool.started':
    case 'tool.finished':
      actor.send(record);
      return;
    case 'file.kept':
    case 'check.finished':
    case 'repair.started':
    case 'run.started':
    case 'run.resumed':
    case 'run.ended':
      return;
    default:
      assertNever(record);
  }
}

/**
 * Tells the machine what only the outcome of a request shows: that the wait before it was over, and, where there was no
 * budget at the time, how large it was.
 */
export function lead(actor: Told, record: RecordBody): void {
  if (record.type === 'attempt.failed') {
    endWait(actor);
    endMeasuring(actor, record, record.failure.usage ?? NO_USAGE);
  } else if (record.type === 'reply.received' || record.type === 'summary.received') {
    endWait(actor);
    endMeasuring(actor, record, usageOf(record.message));
  }
}

const isMeasuring = (actor: Told): boolean => {
  const snapshot = actor.getSnapshot();
  return snapshot.matches({ asking: 'measuring' }) || snapshot.matches({ finishing: 'measuring' });
};

function endMeasuring(
  actor: Told,
  { turn, attempt }: { readonly turn: number; readonly attempt: number },
  { input, cacheWrite, cacheRead }: Usage,
): void {
  if (!isMeasuring(actor)) return;
  const forecast = { inputTokens: input + cacheWrite + cacheRead, inputUsd: 0, outputUsd: 0 };
  actor.send({ type: 'prompt.measured', turn, attempt, forecast, isExact: false });
}

/** The end of a wait is not recorded: what came of the next attempt says it. */
function endWait(actor: Told): void {
  const snapshot = actor.getSnapshot();
  if (!snapshot.matches('backingOff')) return;
  const { turn, attempt } = snapshot.context;
  actor.send({ type: 'wait.elapsed', turn, attempt });
}

/**
 * A closing follows from a limit that the machine sees by itself, or from something that came from outside: a cancel
 * or the clock. The latter is not recorded on its own; the closing says it. Where a limit and a cancel met, the machine
 * may already be closing for the limit, or the next record is the cancel's closing of the same turn: then it came while
 * this one was being saved.
 */
function* closingEvents(
  { stop, turn }: Of<'run.closing'>,
  next: RecordBody | undefined,
  snapshot: () => Snapshot,
): Generator<LoopEvent> {
  const isDrafted = () => {
    const { pending } = snapshot().context;
    return pending?.type === 'run.closing' && pending.stop.status === stop.status;
  };
  if (!isDrafted()) {
    const { context } = snapshot();
    if (stop.status === 'cancelled') yield cancelled(stop);
    // What the failed attempts took is looked at behind the wait.
    else if (snapshot().matches('backingOff') && stop.status !== 'time_limit')
      yield { type: 'wait.elapsed', turn: context.turn, attempt: context.attempt };
    else yield { type: 'time.expired' };
  }
  if (snapshot().matches({ executing: 'stopping' })) yield { type: 'calls.finished', turn };
  if (!isDrafted()) yield { type: 'record.saved', record: 'run.closing', turn };
  if (next?.type === 'run.closing' && next.turn === turn) yield cancelled(next.stop);
  yield { type: 'record.saved', record: 'run.closing', turn };
}

const cancelled = ({ signal = 'SIGINT', atQuestion }: Stop): LoopEvent => ({
  type: 'run.cancelled',
  signal,
  ...(atQuestion && { atQuestion }),
});
