/** What the guards of some edges said when they were last asked: told from the steps, by asking the same guards again. */
import type { LoopContext } from '../../machines/context.ts';
import { partName } from '../../machines/describe.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { guards } from '../../machines/guards.ts';
import type { EdgeId } from '../chart/graph.ts';
import { factOf } from './facts.ts';
import type { Frame } from './film.ts';
import { edgeParts, isWithin, machine } from './machine.ts';
import { holds } from './walk.ts';

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
    const part = edgeParts[edge];
    if (isTaken || !part) return { edge, holds: null, fact: '' };
    isTaken = holds(part, scene);
    const { guard } = part;
    const fact = guard === undefined ? '' : factOf(partName(guard) as keyof typeof guards, scene);
    return { edge, holds: isTaken, fact };
  });
}
