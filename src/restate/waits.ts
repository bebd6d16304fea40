import { setImmediate as nextTurn } from 'node:timers/promises';
import { RestatePromise } from '@restatedev/restate-sdk/node';

/** Made once, for its stack trace is of no use to anybody. */
const LEFT = new Error('the state that this wait belongs to was left');

interface Wait {
  readonly promise: RestatePromise<unknown>;
  readonly settle: (value: unknown, failure: Error | undefined) => void;
}

/**
 * What a run waits for at a time: steps, timers, words from outside. News are told one by one, in the order in which the
 * engine has them in its journal; each is followed up to where everything waits again before the next one is looked at. So a
 * run that is taken up elsewhere hears the same in the same order, and its machine goes the same way.
 */
export class Waits {
  readonly #open = new Map<number, Wait>();
  #count = 0;
  #isAsleep = false;

  /** @param onRest called whenever everything waits */
  constructor(private readonly onRest: () => void) {}

  /** Rejects as soon as the signal aborts: then nobody waits for it any more. */
  for<Value>(promise: RestatePromise<Value>, signal?: AbortSignal): Promise<Value> {
    // It would be heard of only with other news, in an order that nobody can repeat.
    if (this.#isAsleep) throw new Error('a job has begun without any news');
    const id = this.#count;
    this.#count += 1;
    return new Promise<Value>((resolve, reject) => {
      const leave = () => {
        this.#open.delete(id);
        reject(LEFT);
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      const settle: Wait['settle'] = (value, failure) => {
        this.#open.delete(id);
        signal?.removeEventListener('abort', leave);
        if (failure === undefined) resolve(value as Value);
        else reject(failure);
      };
      this.#open.set(id, { promise, settle });
    });
  }

  /** Tells the news until the work is over, which is made of them and of nothing else. */
  async until<Value>(work: Promise<Value>): Promise<Value> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    const over = work.then(end, end);
    for (;;) {
      // Behind all that the last news have led to.
      await nextTurn();
      if (isOver) return work;
      this.onRest();
      this.#isAsleep = true;
      const tell = await Promise.race([this.#next(), over]);
      this.#isAsleep = false;
      tell?.();
    }
  }

  #next(): RestatePromise<() => void> {
    return RestatePromise.race(
      [...this.#open.values()].map(({ promise, settle }) =>
        promise.map((value, failure) => () => settle(value, failure)),
      ),
    );
  }
}
