/**
 * What the chart draws, read from the machine's description: boxes, arrows and pills. Every state is in exactly one box
 * and every edge in exactly one arrow or pill. Pure; `layout.ts` gives it places.
 */
import type { EdgeDescription, MachineDescription, StateDescription } from '../../machines/describe.ts';

/** An edge by its place in the description. */
export type EdgeId = number;

/** Edges of one event that are shown in the box of their state, as a word: they stay in it, or come from outside. */
export interface Pill {
  readonly text: string;
  readonly edges: readonly EdgeId[];
  /** Whether the state is left by one of them. */
  readonly leaves: boolean;
  /** What comes from outside is a sign, since it stands in nearly every box. */
  readonly sign: Sign | null;
}

export type Sign = 'cancel' | 'resume' | 'clock' | 'fail';

export interface Box {
  /** The full name of the state; of the first one, where terminal states share a box. */
  readonly name: string;
  readonly parent: string | null;
  readonly title: string;
  readonly job: string | null;
  readonly pills: readonly Pill[];
  /** Terminal states that are reached from the same places; empty for any other box. */
  readonly ends: readonly string[];
  readonly isInitial: boolean;
}

/** Edges between the same two boxes. */
export interface Arrow {
  readonly source: string;
  readonly target: string;
  readonly edges: readonly EdgeId[];
  readonly lines: readonly string[];
}

export interface Graph {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** What comes from outside and at any time would be an arrow from everywhere; in its box it is a word. */
const OUTSIDE: ReadonlyMap<string, Sign> = new Map([
  ['run.cancelled', 'cancel'],
  ['run.resumed', 'resume'],
  ['time.expired', 'clock'],
  ['record.failed', 'fail'],
]);
const GOOD_END = 'answered';

export function graphOf({ id, states, edges }: MachineDescription): Graph {
  const inPill = ({ event, target }: EdgeDescription) => target === null || OUTSIDE.has(event);
  const ends = groupedEnds(states, edges);
  const boxOf = (name: string) => ends.find((group) => group.includes(name))?.[0] ?? name;
  const initial = new Set(states.map((state) => state.initial));
  const boxes = states
    .filter(({ name, type }) => type !== 'final' || boxOf(name) === name)
    .map(
      (state): Box => ({
        name: state.name,
        parent: state.parent,
        title: state.name.slice(state.name.lastIndexOf('.') + 1),
        job: state.jobs[0] ?? null,
        pills: pillsOf(state.name, edges, inPill),
        ends: state.type === 'final' ? (ends.find((group) => group[0] === state.name) ?? []) : [],
        isInitial: initial.has(state.name) && state.name !== id,
      }),
    );
  const arrows = new Map<string, { source: string; target: string; edges: EdgeId[] }>();
  edges.forEach((edge, index) => {
    if (inPill(edge) || edge.target === null) return;
    const [source, target] = [edge.source, boxOf(edge.target)];
    const arrow = arrows.get(`${source} ${target}`) ?? { source, target, edges: [] };
    arrow.edges.push(index);
    arrows.set(`${source} ${target}`, arrow);
  });
  return {
    boxes,
    arrows: [...arrows.values()].map((arrow) => ({
      ...arrow,
      lines: linesOf(arrow.edges.map((index) => edges[index] as EdgeDescription)),
    })),
  };
}

/** Terminal states that are reached from the same places belong together; the good end stands alone. */
function groupedEnds(states: readonly StateDescription[], edges: readonly EdgeDescription[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { name } of states.filter(({ type }) => type === 'final')) {
    const sources = edges.filter(({ target }) => target === name).map(({ source }) => source);
    const place = name === GOOD_END ? name : [...new Set(sources)].sort().join(' ');
    groups.set(place, [...(groups.get(place) ?? []), name]);
  }
  return [...groups.values()];
}

function pillsOf(
  name: string,
  edges: readonly EdgeDescription[],
  inPill: (edge: EdgeDescription) => boolean,
): Pill[] {
  const byEvent = new Map<string, EdgeId[]>();
  edges.forEach((edge, index) => {
    if (edge.source === name && inPill(edge))
      byEvent.set(edge.event, [...(byEvent.get(edge.event) ?? []), index]);
  });
  return [...byEvent].map(([event, found]) => ({
    text: event.slice(event.indexOf('.') + 1),
    edges: found,
    leaves: found.some((index) => edges[index]?.target !== null),
    sign: OUTSIDE.get(event) ?? null,
  }));
}

/** Guards in their order, without parameters; what is asked of every answer says nothing. */
const PLAIN: ReadonlySet<string> = new Set(['isCurrent', 'isSaved']);
const MOST_GUARDS = 3;

function linesOf(edges: readonly EdgeDescription[]): string[] {
  const events = [...new Set(edges.map(({ event }) => event))].filter((event) => event !== 'always');
  const guards = edges
    .map(({ guard }) => (guard === null ? 'else' : guard.replace(/\(.*/, '')))
    .filter((guard, index, all) => !PLAIN.has(guard) && all.indexOf(guard) === index);
  const shown = guards.length > MOST_GUARDS ? guards.slice(0, MOST_GUARDS - 1) : guards;
  const more = guards.length - shown.length;
  return [...events, ...shown.flatMap(guardLines), ...(more > 0 ? [`+ ${more} more`] : [])];
}

/** A long name is broken in two: before a word, and the second part is indented. */
function guardLines(guard: string): string[] {
  if (guard.length < LONGEST_LINE) return [`[${guard}]`];
  const middle = guard.length / 2;
  const starts = [...guard.matchAll(/[A-Z]/g)].map(({ index }) => index);
  const at = starts.reduce((best, start) =>
    Math.abs(start - middle) < Math.abs(best - middle) ? start : best,
  );
  return [`[${guard.slice(0, at)}`, ` ${guard.slice(at)}]`];
}
const LONGEST_LINE = 17;
