/**
 * A run as frames: for each record, the state that the machine is in behind it and the steps that led there. Whatever
 * the page shows is read from one frame, so that any moment of a run is as near as the last one. The records are folded
 * twice: at once for the states, and behind that, watched, for the steps. To watch a machine takes it three times as long,
 * and who opens a long run should not wait for that.
 */
import type { LoopContext } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { stateName } from '../../machines/state-name.ts';
import { Fold } from '../../src/journal/fold.ts';
import type { JournalRecord, RunStarted } from '../../src/journal/record.ts';
import { upgraded } from '../../src/journal/upgrade.ts';
import { Entries } from './entries.ts';
import { type Marker, markerOf } from './markers.ts';
import { Spending } from './spending.ts';
import { type Step, StepWatcher } from './steps.ts';
import { type Counts, Tally } from './tally.ts';

export interface Frame {
  readonly index: number;
  /** null: something happened that is not recorded, such as the end of a wait. */
  readonly record: JournalRecord | null;
  readonly event: LoopEvent['type'] | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The full name of the state in which the machine waits. */
  readonly state: string;
  readonly context: LoopContext;
  /** Empty until they are known. */
  steps: readonly Step[];
}

export const edgesAt = ({ steps }: Frame): number[] => steps.flatMap(({ edges }) => edges);

export class Film {
  readonly frames: Frame[] = [];
  readonly markers: Marker[] = [];
  readonly entries = new Entries();
  readonly spending = new Spending();
  readonly tally = new Tally();
  /** Why the states behind some record are not known. */
  problem: string | null = null;
  readonly #watcher = new StepWatcher();
  #fold: Fold | null = null;
  #watched: Fold | null = null;
  /** Frames whose steps are known. */
  studied = 0;
  #lastSeq = -1;

  get header(): RunStarted | null {
    return this.#fold?.header ?? null;
  }

  get last(): Frame | undefined {
    return this.frames.at(-1);
  }

  /** Records that are there already are passed over. @param next the record after it, as far as it is known */
  add(found: JournalRecord, next?: JournalRecord): void {
    if (found.seq !== this.#lastSeq + 1) return;
    const record = upgraded(found);
    this.#lastSeq = record.seq;
    try {
      if (this.problem === null) this.#fold = told(this.#fold, record, next);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    if (this.#fold === null) return;
    const { value, context } = this.#fold.snapshot;
    this.push(record, null, Date.parse(record.at), stateName(value), context, null);
  }

  /** Finds out the steps of frames for which they are not known, as long as there is time. @returns whether all are */
  study(until: number): boolean {
    while (this.studied < this.frames.length) {
      if (performance.now() > until) return false;
      const frame = this.frames[this.studied] as Frame;
      const next = this.frames[this.studied + 1]?.record ?? undefined;
      try {
        if (frame.record) this.#watched = told(this.#watched, frame.record, next, this.#watcher.inspect);
      } catch {
        // The first fold has met the same, and told of it.
      }
      this.#know(frame, this.#watcher.take());
    }
    return true;
  }

  /** As of a frame, or as far as the steps are known. */
  countsAt(index: number): Counts {
    return this.tally.at(this.frames, Math.min(index, this.studied - 1));
  }

  #know(frame: Frame, steps: readonly Step[]): void {
    frame.steps = steps;
    this.tally.add(frame, this.frames[frame.index - 1]);
    this.studied = frame.index + 1;
  }

  /** @param steps null: to be found out */
  push(
    record: JournalRecord | null,
    event: LoopEvent['type'] | null,
    at: number,
    state: string,
    context: LoopContext,
    steps: readonly Step[] | null,
  ): void {
    const index = this.frames.length;
    const before = this.frames.at(-1);
    const frame: Frame = { index, record, event, at, state, context, steps: [] };
    this.frames.push(frame);
    if (steps !== null) this.#know(frame, steps);
    this.spending.add(frame, before);
    if (record === null) return;
    this.entries.add(record, index);
    const marker = markerOf(frame, before);
    if (marker) this.markers.push(marker);
  }
}

/** @throws Error for records that make no sense */
function told(
  fold: Fold | null,
  record: JournalRecord,
  next: JournalRecord | undefined,
  inspect?: StepWatcher['inspect'],
): Fold {
  if (fold === null) {
    if (record.type !== 'run.started') throw new Error('the records do not begin with run.started');
    return new Fold(record, undefined, undefined, inspect);
  }
  fold.add(record, next);
  return fold;
}
