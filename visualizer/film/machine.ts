/** The machine as the page sees it: the description of the loop, and where its edges are found again. */
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { describeMachine, nodesOf, transitionsOf } from '../../machines/describe.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { joblessLoop } from '../../machines/resume.ts';
import type { EdgeId } from '../chart/graph.ts';

export const machine = describeMachine(loopMachine);
export const ROOT = machine.id;

export const stateIds: ReadonlyMap<string, number> = new Map(
  machine.states.map(({ name }, index) => [name, index]),
);
export const stateId = (name: string): number => stateIds.get(name) ?? 0;

const nodes = nodesOf(joblessLoop.root);
const nodeNames = new Map(nodes.map((node, index) => [node, machine.states[index]?.name ?? '']));
export const nameOfNode = (node: AnyStateNode): string => nodeNames.get(node) ?? '';

/** The edges of the machine that folds, in the order of the description: both are read from one configuration. */
export const edgeParts: readonly AnyTransitionDefinition[] = nodes.flatMap(transitionsOf);
const edgeIds = new Map(edgeParts.map((edge, index): [AnyTransitionDefinition, EdgeId] => [edge, index]));
export const edgeId = (edge: AnyTransitionDefinition): EdgeId => edgeIds.get(edge) as EdgeId;

/** The state and those around it, the innermost first, the machine itself last. */
export function around(name: string): string[] {
  const parts = name.split('.');
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('.')), ROOT];
}

export const isWithin = (name: string, place: string): boolean =>
  place === ROOT || name === place || name.startsWith(`${place}.`);
