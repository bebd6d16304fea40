/** Numbers, of which the one with the smallest key comes first. */
export class Heap {
  readonly #items: { readonly value: number; readonly key: number }[] = [];

  push(value: number, key: number): void {
    const items = this.#items;
    let at = items.push({ value, key }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((items[parent]?.key ?? 0) <= key) break;
      [items[at], items[parent]] = [items[parent] as (typeof items)[0], items[at] as (typeof items)[0]];
      at = parent;
    }
  }

  pop(): number | undefined {
    const items = this.#items;
    const [first, last] = [items[0], items.pop()];
    if (!first || !last || items.length === 0) return first?.value;
    items[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [at * 2 + 1, at * 2 + 2];
      let least = at;
      if ((items[left]?.key ?? Number.POSITIVE_INFINITY) < (items[least]?.key ?? 0)) least = left;
      if ((items[right]?.key ?? Number.POSITIVE_INFINITY) < (items[least]?.key ?? 0)) least = right;
      if (least === at) return first.value;
      [items[at], items[least]] = [items[least] as (typeof items)[0], items[at] as (typeof items)[0]];
      at = least;
    }
  }
}
