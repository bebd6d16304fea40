import { type AnyTransitionDefinition, createActor } from 'xstate';
import type { LoopEvent } from '../../machines/events.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { LIMITS, type LoopSnapshot } from './given.ts';

export interface Microstep {
  readonly edge: AnyTransitionDefinition;
  readonly snapshot: LoopSnapshot;
}

export interface Step {
  readonly next: LoopSnapshot;
  /** What xstate would do now: start or stop a job, send it a message. */
  readonly actions: readonly { readonly type: string; readonly params: unknown }[];
  /** Each declared transition that was taken, with the snapshot right behind it. */
  readonly microsteps: readonly Microstep[];
}

type Scope = Parameters<typeof loopMachine.transition>[2];

/**
 * What `transition()` of xstate does, a purely computed macrostep, with two differences: it tells which transitions were
 * taken, and it makes its surroundings once instead of once a call, which a search over all paths cannot afford.
 */
export function step(snapshot: LoopSnapshot, event: LoopEvent): Step {
  microsteps = [];
  actions = [];
  return { next: loopMachine.transition(snapshot, event, scope), actions, microsteps };
}

let microsteps: Microstep[] = [];
let actions: { type: string; params: unknown }[] = [];

const self = createActor(loopMachine, { input: { limits: LIMITS } });
self.system.inspect((seen) => {
  if (seen.type !== '@xstate.microstep') return;
  for (const edge of seen._transitions) microsteps.push({ edge, snapshot: seen.snapshot as LoopSnapshot });
});
const nothing = () => {};
const scope: Scope = {
  self,
  system: self.system,
  id: '',
  sessionId: '',
  logger: nothing,
  defer: nothing,
  emit: nothing,
  stopChild: nothing,
  actionExecutor: ({ type, params }) => actions.push({ type, params }),
};
