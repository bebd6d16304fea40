/**
 * A run as frames: for each record, the state that the machine is in behind it and the steps that led there. Whatever
 * the page shows is read from one frame, so that any moment of a run is as near as the last one.
 */
import type { LoopContext, LoopInput } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { stateName } from '../../machines/state-name.ts';
import { Fold } from '../../src/journal/fold.ts';
import type { JournalRecord, RunStarted } from '../../src/journal/record.ts';
import { Entries } from './entries.ts';
import { type Marker, markerOf } from './markers.ts';
import { Spending } from './spending.ts';
import { type Counts, Tally } from './tally.ts';
import { type Step, Walk } from './walk.ts';

export interface Frame {
  readonly index: number;
  /** null: something happened that is not recorded, such as the end of a wait. */
  readonly record: JournalRecord | null;
  readonly event: LoopEvent['type'] | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The full name of the state in which the loop waits. */
  readonly state: string;
  /** The same of the run: the loop's while it works, that of the task around it, or how it has ended. */
  readonly run: string;
  readonly isOver: boolean;
  readonly context: LoopContext;
  readonly steps: readonly Step[];
}

export const edgesAt = ({ steps }: Frame): number[] => steps.flatMap(({ edges }) => edges);

export class Film {
  readonly frames: Frame[] = [];
  readonly markers: Marker[] = [];
  readonly entries = new Entries();
  readonly spending = new Spending();
  readonly tally = new Tally();
  /** Frames from which on another process works on the run. */
  readonly #begun: Frame[] = [];
  /** Why the states behind some record are not known. */
  problem: string | null = null;
  #fold: Fold | null = null;
  /** Since the last frame. */
  #steps: Step[] = [];
  #lastSeq = -1;

  get header(): RunStarted | null {
    return this.#fold?.header ?? null;
  }

  get last(): Frame | undefined {
    return this.frames.at(-1);
  }

  /** Records that are there already are passed over. @param next the record after it, as far as it is known */
  add(record: JournalRecord, next?: JournalRecord): void {
    if (record.seq !== this.#lastSeq + 1) return;
    this.#lastSeq = record.seq;
    try {
      if (this.problem === null) this.#tell(record, next);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    if (this.#fold === null) return;
    const { snapshot, state: run, status } = this.#fold;
    const { value, context } = snapshot;
    const [at, state, steps] = [Date.parse(record.at), stateName(value), this.#steps];
    this.#steps = [];
    this.push({ record, event: null, at, state, run, isOver: status !== null, context, steps });
  }

  /** @throws Error for records that make no sense */
  #tell(record: JournalRecord, next: JournalRecord | undefined): void {
    if (this.#fold !== null) this.#fold.add(record, next);
    else if (record.type === 'run.started') this.#fold = new Fold(record, undefined, undefined, this.#begin);
    else throw new Error('the records do not begin with run.started');
  }

  readonly #begin = (input: LoopInput): Walk => new Walk(input, (step) => this.#steps.push(step));

  /** When the process began that works on the run as of a frame: each that takes it up has its time anew. */
  startedAt(index: number): number {
    return (this.#begun.findLast((frame) => frame.index <= index) ?? this.frames[0])?.at ?? 0;
  }

  countsAt(index: number): Counts {
    return this.tally.at(this.frames, index);
  }

  push(found: Omit<Frame, 'index'>): void {
    const { record } = found;
    const index = this.frames.length;
    const before = this.frames.at(-1);
    const frame: Frame = { ...found, index };
    this.frames.push(frame);
    this.tally.add(frame, before);
    this.spending.add(frame, before);
    if (record === null) return;
    if (record.type === 'run.resumed') this.#begun.push(frame);
    this.entries.add(record, index);
    const marker = markerOf(frame, before);
    if (marker) this.markers.push(marker);
  }
}
