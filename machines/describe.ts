/**
 * A state machine as plain data, and as Mermaid text. Read from the state nodes, because `machine.definition` leaves out
 * the `always` edges. Same machine, same output, to the letter.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { StopStatus } from './status.ts';

export interface StateDescription {
  /** Dotted, such as "persisting.response". The machine itself is the first state and goes by its id. */
  readonly name: string;
  readonly parent: string | null;
  readonly type: AnyStateNode['type'];
  readonly description: string | null;
  /** The state inside that is entered first. */
  readonly initial: string | null;
  readonly jobs: readonly string[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
}

export interface EdgeDescription {
  readonly source: string;
  /** Event type; "always" for an edge that needs none. */
  readonly event: string;
  /** Place among the edges of this source and event, from 0: the first whose guard holds is taken. */
  readonly order: number;
  /** With its parameters, such as "isStoppedBy(max_turns)". */
  readonly guard: string | null;
  /** null: the state stays, only the actions happen. */
  readonly target: string | null;
  readonly actions: readonly string[];
  readonly description: string | null;
}

export interface MachineDescription {
  readonly id: string;
  readonly states: readonly StateDescription[];
  readonly edges: readonly EdgeDescription[];
}

export function describeMachine(machine: AnyStateMachine): MachineDescription {
  const nodes = nodesOf(machine.root);
  return {
    id: machine.id,
    states: nodes.map(describeState),
    edges: nodes.flatMap(transitionsOf).map(describeEdge),
  };
}

/** A state and all states inside it, in the order in which they are written. */
export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** The edges that leave a state, `always` last. */
export const transitionsOf = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];

/** The name of a guard, action or job. What is written in place has none: "unnamed", or what xstate calls its kind. */
export const partName = (part: unknown): string =>
  typeof part === 'string' ? part : ((part as { type?: string }).type ?? 'unnamed');

function partLabel(part: unknown): string {
  const { params } = part as { params?: object };
  return params ? `${partName(part)}(${Object.values(params).join(', ')})` : partName(part);
}

const nameOf = (node: AnyStateNode): string => node.path.join('.') || node.id;
const firstNameOf = (nodes: readonly AnyStateNode[] = []): string | null => nodes.map(nameOf)[0] ?? null;

const describeState = (node: AnyStateNode): StateDescription => ({
  name: nameOf(node),
  parent: node.parent ? nameOf(node.parent) : null,
  type: node.type,
  description: node.description ?? null,
  initial: firstNameOf(node.initial.target),
  jobs: node.invoke.map(({ src }) => partName(src)),
  entry: node.entry.map(partLabel),
  exit: node.exit.map(partLabel),
});

export const describeEdge = (edge: AnyTransitionDefinition): EdgeDescription => ({
  source: nameOf(edge.source),
  event: edge.eventType || 'always',
  order: transitionsOf(edge.source)
    .filter((other) => other.eventType === edge.eventType)
    .indexOf(edge),
  guard: edge.guard === undefined ? null : partLabel(edge.guard),
  target: firstNameOf(edge.target),
  actions: edge.actions.map(partLabel),
  description: edge.description ?? null,
});

/** Where edges of the machine itself begin: they may be taken anywhere. */
const ANY_STATE = 'any_state';
const idOf = (name: string): string => name.replaceAll('.', '_');
const declare = (name: string, text: string): string => `state "${text}" as ${idOf(name)}`;
/** Only where an arrow begins there: a box without one would be a riddle. */
const declareAnyState = (arrows: readonly string[]): string[] =>
  arrows.some((arrow) => arrow.startsWith(`${ANY_STATE} -->`)) ? [declare(ANY_STATE, 'any state')] : [];
const begin = ({ initial }: StateDescription): string[] =>
  initial === null ? [] : [`[*] --> ${idOf(initial)}`];
const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
const diagram = (lines: readonly string[]): string => `${['stateDiagram-v2', ...indent(lines)].join('\n')}\n`;

function labelOf({ event, guard }: EdgeDescription): string {
  if (event === 'always') return `[${guard ?? 'else'}]`;
  return guard === null ? event : `${event} [${guard}]`;
}

/**
 * Every state and every edge, as a Mermaid state diagram. The terminal states stand together in one box. What happens
 * without leaving a state is a line in it, and in each state inside: Mermaid allows no such line in a box.
 */
export function toMermaid(machine: MachineDescription): string {
  const { id, states, edges } = machine;
  const childrenOf = (name: string) => states.filter(({ parent }) => parent === name);
  const leavesOf = (name: string): string[] => {
    const inside = childrenOf(name).flatMap((state) => leavesOf(state.name));
    return inside.length > 0 ? inside : [name];
  };
  const block = (state: StateDescription): string[] => {
    const opening = declare(state.name, state.name.slice(state.name.lastIndexOf('.') + 1));
    const inside = [...begin(state), ...childrenOf(state.name).flatMap(block)];
    return inside.length > 0 ? [`${opening} {`, ...indent(inside), '}'] : [opening];
  };
  const arrow = (edge: EdgeDescription): string[] => {
    const { source, target, actions } = edge;
    if (target === null)
      return leavesOf(source).map((name) => `${idOf(name)} : ${labelOf(edge)} / ${actions.join(', ')}`);
    return [`${source === id ? ANY_STATE : idOf(source)} --> ${idOf(target)} : ${labelOf(edge)}`];
  };
  const top = childrenOf(id);
  const arrows = edges.flatMap(arrow);
  return diagram([
    ...states.slice(0, 1).flatMap(begin),
    ...top.filter(({ type }) => type !== 'final').flatMap(block),
    'state "ended" as ended {',
    ...indent(top.filter(({ type }) => type === 'final').flatMap(block)),
    '}',
    ...declareAnyState(arrows),
    ...arrows,
  ]);
}

/** The one end that is told apart from all others. */
const GOOD_END: StopStatus = 'answered';

/**
 * The same machine at a glance. States inside others are folded into them, unless edges from elsewhere lead to several of
 * them; edges between the same two states become one arrow, and terminal states that are reached from the same places
 * become one. What can happen anywhere and leads to the same place from everywhere (`omit`) is left out.
 */
export function overviewMermaid(machine: MachineDescription, omit: readonly string[] = []): string {
  const { id, states } = machine;
  const edges = machine.edges.filter(({ event }) => !omit.includes(event));
  const top = states.filter(({ parent }) => parent === id);
  const doors = new Set(
    edges.filter(({ source, target }) => target && !isWithin(target, source)).map((edge) => edge.target),
  );
  const isOpen = (name: string) =>
    states.filter((state) => state.parent === name && doors.has(state.name)).length > 1;
  const fold = (name: string): string => {
    if (name === id) return ANY_STATE;
    const [first, second] = name.split('.') as [string, string?];
    return second !== undefined && isOpen(first) ? `${first}.${second}` : first;
  };
  const nodes = top
    .filter(({ type }) => type !== 'final')
    .flatMap((state) =>
      isOpen(state.name) ? states.filter(({ parent }) => parent === state.name) : [state],
    );

  const ends = new Map<string, string[]>();
  for (const { name } of top.filter(({ type }) => type === 'final')) {
    const sources = edges.filter(({ target }) => target === name).map(({ source }) => fold(source));
    const place = name === GOOD_END ? name : [...new Set(sources)].sort().join(' ');
    ends.set(place, [...(ends.get(place) ?? []), name]);
  }
  const groups = [...ends.values()];
  const place = (name: string): string => groups.find((names) => names.includes(name))?.[0] ?? fold(name);

  const arrows = new Map<string, Set<string>>();
  for (const { source, target, event, guard } of edges) {
    const [from, to] = [fold(source), place(target ?? source)];
    if (from === to) continue;
    const arrow = `${idOf(from)} --> ${idOf(to)}`;
    const labels = arrows.get(arrow) ?? new Set();
    arrows.set(arrow, labels.add(event === 'always' ? (guard ?? 'else') : event));
  }
  return diagram([
    ...states.slice(0, 1).flatMap(begin),
    ...nodes.map(({ name }) => declare(name, name)),
    ...declareAnyState([...arrows.keys()]),
    ...groups.map((names) => declare(names[0] as string, names.join('<br/>'))),
    ...[...arrows].map(([arrow, labels]) => `${arrow} : ${inShort([...labels])}`),
    ...groups.map(([first]) => `${first} --> [*]`),
  ]);
}

const isWithin = (name: string, place: string): boolean =>
  name.split('.')[0] === place.split('.')[0] || name === place;

/** Guards without their parameters; more than three of them say little. */
function inShort(labels: readonly string[]): string {
  const names = [...new Set(labels.map((label) => label.replace(/\(.*/, '')))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
}
