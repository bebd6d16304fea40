/** Where a breakpoint may stand, and what reaches it. */
import { describeMachine } from '../../../machines/describe.ts';
import { loopMachine } from '../../../machines/loop.machine.ts';
import type { EffectPoint } from '../../actors/gate.ts';
import type { Breakpoint, Transition } from '../protocol.ts';

const TOOL = 'tool:';
const ARROW = '->';

/** @param passed what the machine went through since the effect before this one */
export function fits(place: Breakpoint, point: EffectPoint, passed: readonly Transition[]): boolean {
  if (place.startsWith(TOOL)) return point.kind === 'tool' && point.tool === place.slice(TOOL.length);
  const [from = '', to] = place.split(ARROW);
  return to === undefined
    ? passed.some(({ state }) => isWithin(state, place))
    : passed.some((taken) => isWithin(taken.from, from) && isWithin(taken.state, to));
}

const isWithin = (state: string, place: string): boolean => state === place || state.startsWith(`${place}.`);

/**
 * Why nothing could ever be held there; undefined: all is well.
 * @param tools names of those that the run has
 */
export function objectionTo(place: Breakpoint, tools: readonly string[]): string | undefined {
  const { states } = describeMachine(loopMachine);
  const stops = states.filter(({ parent, type }) => parent !== null && type !== 'final');
  const names = stops.map(({ name }) => name);
  if (place.startsWith(TOOL)) {
    const tool = place.slice(TOOL.length);
    return tools.includes(tool)
      ? undefined
      : `the run has no tool ${JSON.stringify(tool)}. Its tools are ${tools.join(', ')}`;
  }
  const ends = place.split(ARROW);
  const unknown = ends.find((name) => !names.includes(name));
  if (unknown === undefined && ends.length <= 2) return undefined;
  return states.some(({ name, type }) => name === unknown && type === 'final')
    ? `${unknown} is an end: nothing comes behind it that could be held`
    : `there is no state ${JSON.stringify(unknown ?? place)}. A breakpoint is a state (${names.join(', ')}), a transition such as asking->backingOff, or a tool such as tool:bash`;
}
