/** One process of a run: it beats at every instant at which something could befall it, and dies or is cancelled at one of them. */
import type { Clock } from './clock.ts';

/** What befalls a process, and at which beat or write; null: it does not. */
export interface Fate {
  readonly killAt: number | null;
  /** Whether the death is a power cut, which takes along what was not synced. */
  readonly isPowerCut: boolean;
  readonly cancelAt: number | null;
  /** A cancel while everything waits. */
  readonly cancelAfterMs: number | null;
  readonly cancelSignal: 'SIGINT' | 'SIGTERM';
  readonly failAppendAt: number | null;
  readonly failSyncAt: number | null;
}

/** Ends the synchronous code of a process that was killed. What that code does about it has no effect any more. */
export const KILLED = new Error('the process was killed');
const ABORTED = new Error('aborted');

export class Life {
  isOver = false;
  /** Counts the instants between which nothing is left to do but wait. */
  step = 0;
  /** The steps in which the process was cancelled, and in which its journal failed. */
  cancelledIn: number | null = null;
  failedIn: number | null = null;
  readonly #controller = new AbortController();
  #beats = 0;

  constructor(
    readonly clock: Clock,
    readonly fate: Fate,
  ) {
    if (fate.cancelAfterMs !== null) clock.after(fate.cancelAfterMs, () => this.#cancel());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the process has had the time to hear that it must not begin anything more. */
  get hasHeardTheEnd(): boolean {
    return [this.cancelledIn, this.failedIn].some((step) => step !== null && step < this.step);
  }

  /** @throws KILLED from the instant of the death on */
  beat(): void {
    if (this.isOver) throw KILLED;
    const beat = this.#beats;
    this.#beats += 1;
    if (beat === this.fate.cancelAt) this.#cancel();
    if (beat !== this.fate.killAt) return;
    this.isOver = true;
    throw KILLED;
  }

  /** The person at the question has the run stopped. */
  stop(): void {
    this.cancelledIn ??= this.step;
  }

  #cancel(): void {
    this.cancelledIn ??= this.step;
    this.#controller.abort(this.fate.cancelSignal);
  }

  /** A beat after a delay. Settles never once the process is dead, and rejects when the signal aborts. */
  moment(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const arrive = () => {
        if (this.isOver) return;
        try {
          this.beat();
        } catch {
          return;
        }
        resolve();
      };
      if (delayMs === 0) return arrive();
      this.clock.after(delayMs, arrive);
      const stop = () => {
        if (!this.isOver) reject(ABORTED);
      };
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  }
}
