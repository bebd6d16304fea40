/** What each request has cost, in the order of the replies: the difference between two states of the run. */
import type { Usage } from '../../machines/protocol.ts';
import { totalTokens } from '../../machines/reply.ts';
import type { Frame } from './film.ts';

export interface Spent {
  readonly index: number;
  readonly turn: number;
  readonly isSummary: boolean;
  readonly usage: Usage;
  readonly tokens: number;
  readonly costUsd: number;
}

export class Spending {
  readonly items: Spent[] = [];

  add({ context, index }: Frame, before: Frame | undefined): void {
    if (before === undefined || before.context.usage === context.usage) return;
    const [now, then] = [context.usage, before.context.usage];
    const usage = {
      input: now.input - then.input,
      cacheWrite: now.cacheWrite - then.cacheWrite,
      cacheRead: now.cacheRead - then.cacheRead,
      output: now.output - then.output,
    };
    const tokens = totalTokens(usage);
    const costUsd = context.costUsd - before.context.costUsd;
    if (tokens === 0 && costUsd === 0) return;
    const isSummary = context.counters.summaries > before.context.counters.summaries;
    this.items.push({ index, turn: before.context.turn, isSummary, usage, tokens, costUsd });
  }

  /** Requests that were answered at a frame. */
  at(index: number): readonly Spent[] {
    return this.items.slice(0, countUpTo(this.items, index));
  }
}

/** How many of a list that is sorted by index are not behind it. */
export function countUpTo(items: readonly { readonly index: number }[], index: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.index ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}
