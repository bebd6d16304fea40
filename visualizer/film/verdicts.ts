/** What the guards of some edges said when they were last asked: told from the steps, by asking the same guards again. */
import type { LoopContext } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { guards } from '../../machines/guards.ts';
import type { EdgeId } from '../chart/graph.ts';
import { factOf } from './facts.ts';
import type { Frame } from './film.ts';
import { edgeParts, isWithin, machine } from './machine.ts';

export interface Verdict {
  readonly edge: EdgeId;
  /** null: an edge before it was taken, so that it was not asked. */
  readonly holds: boolean | null;
  /** The numbers that the guard looked at. */
  readonly fact: string;
}

export interface Asked {
  /** The frame in which they were asked. */
  readonly index: number;
  readonly verdicts: readonly Verdict[];
}

type Ask = (scope: { context: LoopContext; event: LoopEvent }, params: never) => boolean;

/** Edges of one state and one event, in their order. */
export const siblings = (source: string, event: string): EdgeId[] =>
  machine.edges.flatMap((edge, index) => (edge.source === source && edge.event === event ? [index] : []));

/** @param index the frame as of which; null: they had not been asked by then */
export function lastAsked(
  frames: readonly Frame[],
  index: number,
  source: string,
  event: string,
): Asked | null {
  for (let at = index; at >= 0; at -= 1) {
    const steps = frames[at]?.steps ?? [];
    for (const step of [...steps].reverse()) {
      const scene =
        event === 'always'
          ? isWithin(step.to, source) && { context: step.after, event: step.event }
          : step.event.type === event &&
            step.from !== '' &&
            // What follows by itself still carries the event.
            !step.edges.some((edge) => machine.edges[edge]?.event === 'always') &&
            isWithin(step.from, source) && { context: step.before, event: step.event };
      if (scene) return { index: at, verdicts: judge(siblings(source, event), scene) };
    }
  }
  return null;
}

function judge(edges: readonly EdgeId[], scene: { context: LoopContext; event: LoopEvent }): Verdict[] {
  let isTaken = false;
  return edges.map((edge) => {
    if (isTaken) return { edge, holds: null, fact: '' };
    const { name, params } = guardOf(edge);
    const holds = name === null || (guards[name] as Ask)(scene, params as never);
    isTaken = holds;
    return { edge, holds, fact: name === null ? '' : factOf(name, scene) };
  });
}

function guardOf(edge: EdgeId): { name: keyof typeof guards | null; params: unknown } {
  const guard = edgeParts[edge]?.guard as string | { type: string; params?: unknown } | undefined;
  if (guard === undefined) return { name: null, params: undefined };
  return typeof guard === 'string'
    ? { name: guard as keyof typeof guards, params: undefined }
    : { name: guard.type as keyof typeof guards, params: guard.params };
}
