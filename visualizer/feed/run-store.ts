/** One run as the page holds it: its film, who steers it, and whether more is to come. */

import type { ControlState } from '../../src/inspector/protocol.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { Film } from '../film/film.ts';

export type Connection =
  | { readonly is: 'loading' | 'live' | 'waiting' | 'missing' | 'gone' | 'file' }
  | { readonly is: 'damaged'; readonly problem: string }
  | { readonly is: 'over'; readonly command: string | null };

/** How long the page is kept busy at a time: while a run is being opened, and while it is watched. */
const SLICE_MS = { loading: 80, live: 8 };

export class RunStore {
  readonly film = new Film();
  connection: Connection = { is: 'loading' };
  control: ControlState | null = null;
  /** Where the machine is by now, if that is newer than the last record. */
  ahead: string | null = null;
  readonly #listeners = new Set<() => void>();
  #queue: JournalRecord[] = [];
  #isBusy = false;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  add(record: JournalRecord): void {
    this.#queue.push(record);
    if (this.#isBusy) return;
    this.#isBusy = true;
    setTimeout(this.#work, 0);
  }

  connect(connection: Connection): void {
    this.connection = connection;
    this.tell();
  }

  readonly #work = (): void => {
    const until = performance.now() + SLICE_MS[this.connection.is === 'loading' ? 'loading' : 'live'];
    let done = 0;
    while (done < this.#queue.length && performance.now() < until) {
      this.film.add(this.#queue[done] as JournalRecord, this.#queue[done + 1]);
      done += 1;
    }
    this.#queue = this.#queue.slice(done);
    this.ahead = null;
    this.#isBusy = this.#queue.length > 0;
    if (this.#isBusy) setTimeout(this.#work, 0);
    this.tell();
  };
}
