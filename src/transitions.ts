import type { InspectionEvent } from 'xstate';
import type { LoopContext } from '../machines/context.ts';
import { stateName } from '../machines/state-name.ts';
import type { RunEvent } from './outcome.ts';

/**
 * Turns the machine's microsteps into transition events. A state that is left at once by an `always` edge is never seen
 * by a subscriber, so the microsteps are listened to.
 */
export function watchTransitions(onEvent: (event: RunEvent) => void): (inspected: InspectionEvent) => void {
  let from = '';
  return (inspected) => {
    if (inspected.type !== '@xstate.microstep' || !('value' in inspected.snapshot)) return;
    const state = stateName(inspected.snapshot.value as string);
    if (state === from) return;
    const { turn } = (inspected.snapshot as unknown as { context: LoopContext }).context;
    onEvent({ type: 'transition', from, state, event: inspected.event.type, turn });
    from = state;
  };
}
