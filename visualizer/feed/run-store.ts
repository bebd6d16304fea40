/** One run as the page holds it: its film, who steers it, and whether more is to come. */

import type { ControlState } from '../../src/inspector/protocol.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { Film } from '../film/film.ts';

export type Connection =
  | { readonly is: 'loading' | 'live' | 'waiting' | 'missing' | 'gone' | 'file' }
  | { readonly is: 'damaged'; readonly problem: string }
  | { readonly is: 'over'; readonly command: string | null };

/** How long the page is kept busy at a time: while a run is being opened, while it is watched, and behind that. */
const SLICE_MS = { loading: 150, live: 8, study: 12 };
/** What is found out behind is shown this often. */
const NEWS_MS = 400;

export class RunStore {
  readonly film = new Film();
  connection: Connection = { is: 'loading' };
  control: ControlState | null = null;
  /** Where the machine is by now, if that is newer than the last record. */
  ahead: string | null = null;
  readonly #listeners = new Set<() => void>();
  #queue: JournalRecord[] = [];
  #isBusy = false;
  #told = 0;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  add(record: JournalRecord): void {
    this.#queue.push(record);
    this.#start();
  }

  connect(connection: Connection): void {
    this.connection = connection;
    this.#start();
    this.tell();
  }

  #start(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    setTimeout(this.#work, 0);
  }

  readonly #work = (): void => {
    const began = performance.now();
    const isLoading = this.connection.is === 'loading';
    const until = began + (isLoading ? SLICE_MS.loading : SLICE_MS.live);
    let done = 0;
    while (done < this.#queue.length && performance.now() < until) {
      this.film.add(this.#queue[done] as JournalRecord, this.#queue[done + 1]);
      done += 1;
    }
    this.#queue = this.#queue.slice(done);
    const isRead = this.#queue.length === 0 && !isLoading;
    const isDone = isRead && this.film.study(performance.now() + SLICE_MS.study);
    this.#isBusy = this.#queue.length > 0 || (isRead && !isDone);
    if (this.#isBusy) setTimeout(this.#work, 0);
    if (done > 0) this.ahead = null;
    // The newest record is shown at once, what is found out behind it now and then.
    if ((done > 0 && isRead) || isDone || began - this.#told > NEWS_MS) this.#tellNow(began);
  };

  #tellNow(at: number): void {
    this.#told = at;
    this.tell();
  }
}
