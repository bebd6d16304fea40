import type { InspectionEvent, SnapshotFrom } from 'xstate';
import type { LoopContext } from '../machines/context.ts';
import type { loopMachine } from '../machines/loop.machine.ts';
import { stateName } from '../machines/state-name.ts';
import type { RunEvent } from './outcome.ts';

type LoopSnapshot = Pick<SnapshotFrom<typeof loopMachine>, 'value' | 'context'>;

/**
 * Turns the machine's microsteps into transition events. A state that is left at once by an `always` edge is never seen
 * by a subscriber, so the microsteps are listened to.
 * @param resumed where the machine goes on; without it, its first microstep tells where it begins
 */
export function watchTransitions(
  onEvent: (event: RunEvent) => void,
  resumed?: LoopSnapshot,
): (inspected: InspectionEvent) => void {
  let from = '';
  if (resumed) {
    from = stateName(resumed.value);
    onEvent({ type: 'transition', from: '', state: from, event: 'run.resumed', turn: resumed.context.turn });
  }
  return (inspected) => {
    if (inspected.type !== '@xstate.microstep' || !('value' in inspected.snapshot)) return;
    const state = stateName(inspected.snapshot.value as string);
    if (state === from) return;
    const { turn } = (inspected.snapshot as unknown as { context: LoopContext }).context;
    onEvent({ type: 'transition', from, state, event: inspected.event.type, turn });
    from = state;
  };
}

/** What is worth telling of the task around the loop: the loop tells the rest itself. */
const TOLD: ReadonlySet<string> = new Set(['verifying', 'repairing', 'verified', 'unverified']);

/**
 * The same for the task.
 * @param turn of the loop, the last one
 * @param resumed the state that it goes on in
 */
export function watchTask(
  onEvent: (event: RunEvent) => void,
  turn: () => number,
  resumed?: string,
): (inspected: InspectionEvent) => void {
  let from = '';
  const enter = (state: string, event: string) => {
    if (TOLD.has(state)) onEvent({ type: 'transition', from, state, event, turn: turn() });
    from = state;
  };
  if (resumed !== undefined) enter(resumed, 'run.resumed');
  return (inspected) => {
    if (inspected.type !== '@xstate.microstep' || !('value' in inspected.snapshot)) return;
    const state = stateName(inspected.snapshot.value as string);
    if (state !== from) enter(state, inspected.event.type);
  };
}
