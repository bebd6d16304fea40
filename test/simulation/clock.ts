/**
 * Time that passes only when nothing else can happen. Everything that waits stands in one list: the world's own delays,
 * and the timers of the code under test, which are replaced for as long as a simulation runs.
 */
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

interface Waiting {
  dueAt: number;
  readonly act: () => void;
  /** Begins the delay anew, as that of a timer of Node. */
  readonly refresh: () => void;
}

export class Clock {
  /** Milliseconds since 1970. */
  now: number;
  readonly #waiting = new Set<Waiting>();

  constructor(now: number) {
    this.now = now;
  }

  after(delayMs: number, act: () => void): Waiting {
    const refresh = () => {
      waiting.dueAt = this.now + Math.max(0, delayMs);
      this.#waiting.add(waiting);
    };
    const waiting: Waiting = { dueAt: 0, act, refresh };
    refresh();
    return waiting;
  }

  forget(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  /** Goes on to what is due next; among equals, the one that was asked for first. False: nobody waits. */
  advance(): boolean {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) if (!next || waiting.dueAt < next.dueAt) next = waiting;
    if (next === undefined) return false;
    this.#waiting.delete(next);
    this.now = next.dueAt;
    next.act();
    return true;
  }
}

let current = new Clock(0);

/** The clock that timers belong to from here on. What an earlier one still had to do is never done. */
export function useClock(clock: Clock): void {
  current = clock;
}

/** Runs the work with virtual timers; not for two works at a time. */
export async function withVirtualTimers<Value>(work: () => Promise<Value>): Promise<Value> {
  const real = { setTimeout, clearTimeout, sleep: timersPromises.setTimeout };
  const install = (timers: object, sleep: unknown) => {
    Object.assign(globalThis, timers);
    Object.assign(timersPromises, { setTimeout: sleep });
    // Named imports of a built-in module see the change only after this.
    syncBuiltinESMExports();
  };
  install(
    {
      setTimeout: (act: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]) =>
        current.after(delayMs, () => act(...values)),
      clearTimeout: (waiting?: Waiting) => {
        if (waiting) current.forget(waiting);
      },
    },
    virtualSleep,
  );
  try {
    return await work();
  } finally {
    const { sleep, ...timers } = real;
    install(timers, sleep);
  }
}

function virtualSleep(delayMs = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const clock = current;
    const waiting = clock.after(delayMs, () => resolve(value));
    const stop = () => {
      clock.forget(waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
