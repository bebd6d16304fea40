import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../machines/limits.ts';
import { stateName } from '../../../machines/state-name.ts';
import type { LoopSnapshot } from '../given.ts';
import { ROUGH, type World } from './alphabet.ts';
import { type Configuration, explore, pathTo } from './explore.ts';

export interface Search {
  readonly title: string;
  readonly limits: Limits;
  readonly world: World;
  readonly found: readonly Configuration[];
}

export const searchAll = (worlds: readonly [string, Limits, World][]): Search[] =>
  worlds.map(([name, limits, world]) => {
    const found = explore(limits, world);
    const steps = found.reduce((sum, { edges }) => sum + edges.length, 0);
    return { title: `${name} (${found.length} configurations, ${steps} steps)`, limits, world, found };
  });

export const endsOf = (found: readonly Configuration[]): LoopSnapshot[] =>
  found.map(({ snapshot }) => snapshot).filter(({ status }) => status === 'done');

/** What holds of every search, as tests. */
export function checkPaths(searched: readonly Search[]): void {
  const titled = searched.map((search) => [search.title, search] as const);
  describe.each(titled)('with %s', (_, { limits, world, found }) => {
    const order = topological(found);

    it('every path ends: none comes back to where it was', () => {
      expect(order).toHaveLength(found.length);
    });

    it('only terminal states lead nowhere, and they all do', () => {
      const stranded = found.filter(
        ({ edges, snapshot }) => (snapshot.status === 'done') !== (edges.length === 0),
      );
      expect(stranded.map(pathTo)).toEqual([]);
    });

    it('no path sends more requests than the limits add up to, and one sends as many', () => {
      const { maxTurns, maxRetries, maxPauses, maxTruncations, summary } = limits;
      const tries = world.isRough ? 1 + maxRetries : 1;
      const rounds = world.isRough ? 1 + maxPauses + maxTruncations : 1;
      const most = maxTurns * rounds * tries + (summary ? tries : 0);
      const longest = mostRequests(found, order);
      expect(longest).toBeLessThanOrEqual(most);
      if (world === ROUGH) expect(longest).toBe(most);
    });
  });
}

/** Steps that change nothing, such as an outcome told twice, lead to where they start and are left out. */
const onward = (found: readonly Configuration[], at: number) =>
  (found[at] as Configuration).edges.filter(({ to }) => to !== at);

/** The configurations, each before all that follow from it; those on a circle, and behind one, are missing. */
function topological(found: readonly Configuration[]): number[] {
  const open = found.map(() => 0);
  found.forEach((_, at) => {
    for (const { to } of onward(found, at)) open[to] = (open[to] ?? 0) + 1;
  });
  const order = [0];
  for (const at of order)
    for (const { to } of onward(found, at)) {
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) order.push(to);
    }
  return order;
}

/** Requests on the longest path. Where nothing is measured, the start itself sends the first. */
function mostRequests(found: readonly Configuration[], order: readonly number[]): number {
  const ahead = found.map(() => 0);
  for (const at of [...order].reverse())
    ahead[at] = Math.max(
      0,
      ...onward(found, at).map(({ to, sendsRequest }) => (ahead[to] ?? 0) + (sendsRequest ? 1 : 0)),
    );
  const isSent = stateName((found[0] as Configuration).snapshot.value) === 'asking.requesting';
  return (ahead[0] ?? 0) + (isSent ? 1 : 0);
}
