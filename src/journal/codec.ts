import type { Actor, SnapshotFrom } from 'xstate';
import type { LoopEvent } from '../../machines/events.ts';
import type { loopMachine } from '../../machines/loop.machine.ts';
import { assertNever } from '../../machines/never.ts';
import { digestReply } from '../../machines/turn.ts';
import type { RecordBody } from './record.ts';

type Snapshot = SnapshotFrom<typeof loopMachine>;
type Of<Type extends RecordBody['type']> = Extract<RecordBody, { type: Type }>;

/**
 * Tells the machine what a record says. Facts that a job recorded are one event each. What the machine itself wanted
 * saved is two: what led to it, and that it was saved.
 * @param usedIds ids of the calls before this record
 */
export function replay(
  actor: Actor<typeof loopMachine>,
  record: RecordBody,
  usedIds: ReadonlySet<string>,
): void {
  switch (record.type) {
    case 'reply.received':
    case 'summary.received': {
      const { turn, attempt, message, costUsd } = record;
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
      actor.send({ type: 'calls.finished', turn: record.turn });
      actor.send({ type: 'record.saved', record: record.type, turn: record.turn });
      return;
    case 'run.closing':
      for (const event of closingEvents(record, () => actor.getSnapshot())) actor.send(event);
      return;
    case 'attempt.failed':
      actor.send({ ...record, type: 'model.failed' });
      return;
    case 'calls.reviewed':
    case 'approval.granted':
    case 'approval.denied':
    case 'tool.started':
    case 'tool.finished':
      actor.send(record);
      return;
    case 'run.started':
    case 'run.ended':
      return;
    default:
      assertNever(record);
  }
}

/**
 * A closing follows from a limit that the machine sees by itself, or from something that came from outside: a cancel
 * or the clock. The latter is not recorded on its own; the closing says it. Where a limit and a cancel met, the machine
 * may already be closing for the limit.
 */
function* closingEvents({ stop, turn }: Of<'run.closing'>, snapshot: () => Snapshot): Generator<LoopEvent> {
  const isDrafted = () => {
    const { pending } = snapshot().context;
    return pending?.type === 'run.closing' && pending.stop.status === stop.status;
  };
  if (!isDrafted()) {
    if (stop.status === 'cancelled') yield { type: 'run.cancelled', signal: stop.signal ?? 'SIGINT' };
    else yield { type: 'time.expired' };
  }
  if (snapshot().matches({ executing: 'stopping' })) yield { type: 'calls.finished', turn };
  if (!isDrafted()) yield { type: 'record.saved', record: 'run.closing', turn };
  yield { type: 'record.saved', record: 'run.closing', turn: snapshot().context.turn };
}
