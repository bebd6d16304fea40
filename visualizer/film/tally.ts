/** How often each state was entered and each edge taken, and how long the machine was where, as of any frame. */

import type { Frame } from './film.ts';
import { around, machine, stateId } from './machine.ts';

export interface Counts {
  /** By the places of states and edges in the machine's description. */
  readonly visits: Uint32Array;
  readonly taken: Uint32Array;
  readonly timeMs: Float64Array;
}

/** Sums are kept this often; between two of them they are added up anew. */
const EVERY = 256;

const nothing = (): Counts => ({
  visits: new Uint32Array(machine.states.length),
  taken: new Uint32Array(machine.edges.length),
  timeMs: new Float64Array(machine.states.length),
});

const copied = ({ visits, taken, timeMs }: Counts): Counts => ({
  visits: visits.slice(),
  taken: taken.slice(),
  timeMs: timeMs.slice(),
});

const ways = new Map<string, readonly number[]>();
/** The places of a state and of those around it. */
function placesOf(name: string): readonly number[] {
  const known = ways.get(name);
  if (known) return known;
  const found = around(name).map(stateId);
  ways.set(name, found);
  return found;
}

export class Tally {
  readonly #kept: Counts[] = [];
  #now = nothing();

  add(frame: Frame, before: Frame | undefined): void {
    count(this.#now, frame, before);
    if (frame.index % EVERY === 0) this.#kept.push(copied(this.#now));
  }

  /** @param index of a frame whose steps are known */
  at(frames: readonly Frame[], index: number): Counts {
    const start = Math.floor(index / EVERY);
    const counts = copied(this.#kept[start] ?? nothing());
    for (let at = start * EVERY + 1; at <= index; at += 1) {
      const frame = frames[at];
      if (frame) count(counts, frame, frames[at - 1]);
    }
    return counts;
  }
}

function count({ visits, taken, timeMs }: Counts, frame: Frame, before: Frame | undefined): void {
  // While nobody worked on the run, it was in no state.
  if (before && frame.record?.type !== 'run.resumed')
    for (const place of placesOf(before.state))
      timeMs[place] = (timeMs[place] ?? 0) + Math.max(0, frame.at - before.at || 0);
  for (const { from, to, edges } of frame.steps) {
    for (const edge of edges) taken[edge] = (taken[edge] ?? 0) + 1;
    if (edges.length === 0 && from !== '') continue;
    const left = placesOf(from);
    for (const place of placesOf(to))
      if (
        from === '' ||
        !left.includes(place) ||
        (from === to && place === stateId(to) && isReentered(edges))
      )
        visits[place] = (visits[place] ?? 0) + 1;
  }
}

const isReentered = (edges: readonly number[]): boolean =>
  edges.some((edge) => machine.edges[edge]?.target !== null);
