/** Where the items of a long list stand: by the heights that were measured, and by an estimate for the others. Pure. */
const ESTIMATE_PX = 90;

export class Heights {
  readonly #heights: (number | undefined)[] = [];
  /** Sums of what is above; right up to and with `#right`. */
  readonly #tops: number[] = [0];
  #right = 0;

  /** @returns by how much the item is taller than was thought; null: not at all */
  measure(index: number, height: number): number | null {
    const before = this.#heights[index] ?? ESTIMATE_PX;
    if (this.#heights[index] === height) return null;
    this.#heights[index] = height;
    this.#right = Math.min(this.#right, index);
    return height - before;
  }

  /** Also of the item behind the last one: that is the height of the list. */
  top(index: number): number {
    while (this.#right < index) {
      const at = this.#right;
      this.#tops[at + 1] = (this.#tops[at] ?? 0) + (this.#heights[at] ?? ESTIMATE_PX);
      this.#right += 1;
    }
    return this.#tops[index] ?? 0;
  }

  /** The item of so many that stands at a height, or the last one above it. */
  at(height: number, count: number): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.top(middle) <= height) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
