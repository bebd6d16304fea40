/** Chance that a seed repeats: the same seed, the same sequence, on every machine. */
export class Random {
  #state: number;

  /** @param seed a whole number from 0 to 2^53 - 1; neighbouring seeds give unrelated sequences */
  constructor(seed: number) {
    this.#state = mixed(seed >>> 0) ^ mixed(Math.floor(seed / 2 ** 32) + 0x9e3779b9);
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return mixed(this.#state) / 2 ** 32;
  }

  /** A whole number between both, which are included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.int(0, values.length - 1)] ?? values[0];
  }

  /** A key, as often as its weight says. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    throw new Error('no key has a weight');
  }
}

function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
