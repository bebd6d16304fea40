import type { SnapshotFrom } from 'xstate';
import type { loopMachine } from '../machines/loop.machine.ts';
import type { TaskContext } from '../machines/task.ts';
import type { Journal } from './journal/journal.ts';
import { VERSION } from './version.ts';

/** Turns between two states that are kept: some hundred records. */
const TURNS = 100;

/**
 * Looks at the states that the machine comes to rest in, and keeps one now and then. Only while a request is sent: then the
 * machine knows of every record, no cancel is waiting for its record, and nobody writes. Nor behind a wait, whose end is no record.
 */
export function stateKeeper(
  journal: Journal,
  task: TaskContext,
): (snapshot: SnapshotFrom<typeof loopMachine>) => void {
  let keptTurn = 0;
  return (snapshot) => {
    const { value, context } = snapshot;
    const { turn, stop, failures } = context;
    if (
      turn - keptTurn < TURNS ||
      stop !== null ||
      failures > 0 ||
      !snapshot.matches({ asking: 'requesting' })
    )
      return;
    keptTurn = turn;
    journal.keep?.({ pawl: VERSION, value, context, task });
  };
}
