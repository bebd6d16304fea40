/** One run as the page holds it: its film, who steers it, and whether more is to come. */

import type { ControlState } from '../../src/inspector/protocol.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { Film } from '../film/film.ts';

export type Connection =
  | { readonly is: 'loading' | 'live' | 'waiting' | 'missing' | 'gone' | 'file' }
  | { readonly is: 'damaged'; readonly problem: string }
  | { readonly is: 'over'; readonly command: string | null };

/** How long the page is kept busy at a time: while much is to be read, and while a run is watched. */
const SLICE_MS = { behind: 200, live: 8 };
/** Records that wait and are more than a live run brings. */
const MANY = 100;
/** The way to the newest record is shown this often. */
const NEWS_MS = 1_000;
/** What comes one by one is shown together, so that a fast run does not keep the page drawing. */
const GATHER_MS = 80;

export class RunStore {
  readonly film = new Film();
  connection: Connection = { is: 'loading' };
  control: ControlState | null = null;
  /** Whether a process works on the run, or an engine. */
  isHeld = true;
  /** Address of the engine that has the run; null: none has. */
  engine: string | null = null;
  /** Where the machine is by now, if that is newer than the last record. */
  ahead: string | null = null;
  #isAheadTold = true;
  readonly #listeners = new Set<() => void>();
  #queue: JournalRecord[] = [];
  #isBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told = performance.now();

  /** The first call that waits for a person's word. */
  get waiting() {
    return this.film.last?.context.calls.find(({ progress }) => progress === 'waiting');
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The machine moves several times for each record. */
  moveAhead(state: string): void {
    this.ahead = state;
    if (!this.#isAheadTold) return;
    this.#isAheadTold = false;
    setTimeout(() => {
      this.#isAheadTold = true;
      if (this.ahead !== null) this.tell();
    }, GATHER_MS);
  }

  add(records: readonly JournalRecord[]): void {
    this.#queue = this.#queue.concat(records);
    this.#start();
  }

  connect(connection: Connection): void {
    this.connection = connection;
    // What is still to be read is shown with it.
    if (this.#queue.length === 0) this.tell();
    this.#start();
  }

  /** With the end of a feed nothing is left to be gathered. */
  #start(): void {
    const isLive = this.connection.is === 'live';
    if (this.#isBusy && isLive) return;
    this.#isBusy = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#work, isLive ? GATHER_MS : 0);
  }

  readonly #work = (): void => {
    const began = performance.now();
    const isLoading = this.connection.is === 'loading';
    const isBehind = isLoading || this.#queue.length > MANY;
    const until = began + SLICE_MS[isBehind ? 'behind' : 'live'];
    // What a record means may be told by the next one: as long as there is one to come, it is waited for.
    const end = this.#queue.length - (isLoading ? 1 : 0);
    let done = 0;
    while (done < end && performance.now() < until) {
      this.film.add(this.#queue[done] as JournalRecord, this.#queue[done + 1]);
      done += 1;
    }
    this.#queue = this.#queue.slice(done);
    this.#isBusy = done < end;
    if (this.#isBusy) this.#timer = setTimeout(this.#work, 0);
    if (done > 0) this.ahead = null;
    const isRead = !this.#isBusy && !isLoading;
    if (!isRead && began - this.#told < NEWS_MS) return;
    this.#told = began;
    this.tell();
  };
}
