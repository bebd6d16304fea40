/** How many jobs of a worker are at work at a time. */
export class Slots {
  #running = 0;
  #isDraining = false;
  readonly #queue: (() => void)[] = [];
  #drained = () => {};

  constructor(private readonly most: number) {}

  /** @throws NoSlot where there was none for a while, so that the run can be taken up elsewhere; the signal's reason where it aborts */
  async use<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  /** Nothing is begun any more. Resolves when nothing runs. */
  drain(): Promise<void> {
    this.#isDraining = true;
    return new Promise((resolve) => {
      this.#drained = resolve;
      if (this.#running === 0) resolve();
    });
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#isDraining || this.#running >= this.most) await this.#turn(signal);
    else this.#running += 1;
  }

  /** Handed over where somebody waits for it. */
  #give(): void {
    const next = this.#isDraining ? undefined : this.#queue.shift();
    if (next === undefined) this.#running -= 1;
    else next();
    if (this.#running === 0) this.#drained();
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        const at = this.#queue.indexOf(enter);
        if (at !== -1) this.#queue.splice(at, 1);
        settle();
        reject(reason);
      };
      const enter = () => {
        settle();
        resolve();
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => leave(new NoSlot()), LONGEST_WAIT_MS);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(enter);
    });
  }
}

/** Well below the time after which the engine takes a silent run away, which would make what it is about to do uncertain. */
const LONGEST_WAIT_MS = 60_000;

export class NoSlot extends Error {
  override readonly name = 'NoSlot';
  constructor() {
    super('All jobs of this worker were taken for a minute. The engine asks again, here or elsewhere.');
  }
}
