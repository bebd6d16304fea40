/**
 * Every path of the machine, in worlds small enough to be seen whole. While searching, the monitor checks on each step
 * what must never happen; what is left to check here are properties of the whole.
 */
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../machines/limits.ts';
import { STOP_STATUSES } from '../../machines/status.ts';
import { LIMITS } from './given.ts';
import type { World } from './search/alphabet.ts';
import { type Configuration, explore } from './search/explore.ts';

const FREE = [{ tokens: 0, costUsd: 0 }];
const SMOOTH: World = { calls: [1, 2], prices: FREE, outcomes: ['same'], isRough: false };
const ROUGH: World = { ...SMOOTH, isRough: true };
const PRICED: World = {
  ...ROUGH,
  calls: [1],
  prices: [
    { tokens: 1, costUsd: 0.5 },
    { tokens: 3, costUsd: 2 },
  ],
};
const unlimited = { ...LIMITS, maxRepeats: null };

const worlds: [string, Limits, World][] = [
  ['failures and odd replies', unlimited, ROUGH],
  ['no summary', { ...unlimited, summary: false }, { ...ROUGH, calls: [1] }],
  ['three calls in a reply', { ...unlimited, maxTurns: 1 }, { ...SMOOTH, calls: [3] }],
  ['a token budget', { ...unlimited, tokenBudget: 3 }, PRICED],
  ['a money budget', { ...unlimited, maxCostUsd: 2 }, PRICED],
  ['a limit on tool calls', { ...unlimited, maxTurns: 3, maxToolCalls: 2 }, SMOOTH],
  [
    'a limit on repetition',
    { ...LIMITS, maxTurns: 4, maxRepeats: 2 },
    { ...SMOOTH, calls: [1], outcomes: ['same', 'other'] },
  ],
];

const searched = worlds.map(([name, limits, world]) => {
  const found = explore(limits, world);
  const steps = found.reduce((sum, { edges }) => sum + edges.length, 0);
  return { title: `${name} (${found.length} configurations, ${steps} steps)`, limits, world, found };
});

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
    expect(stranded.map(({ path }) => path)).toEqual([]);
  });

  it('no path sends more requests than the limits add up to, and one sends as many', () => {
    const { maxTurns, maxRetries, maxPauses, maxTruncations, summary } = limits;
    const tries = world.isRough ? 1 + maxRetries : 1;
    const rounds = world.isRough ? 1 + maxPauses + maxTruncations : 1;
    const most = maxTurns * rounds * tries + (summary ? tries : 0);
    const longest = 1 + mostRequests(found, order);
    expect(longest).toBeLessThanOrEqual(most);
    if (world === ROUGH) expect(longest).toBe(most);
  });
});

it('together they reach every stop status', () => {
  const reached = searched.flatMap(({ found }) =>
    found.filter(({ snapshot }) => snapshot.status === 'done').map(({ snapshot }) => snapshot.value),
  );
  expect([...new Set(reached)].sort()).toEqual(Object.keys(STOP_STATUSES).sort());
});

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

/** Requests on the longest path, the first one, which the start itself sends, left out. */
function mostRequests(found: readonly Configuration[], order: readonly number[]): number {
  const ahead = found.map(() => 0);
  for (const at of [...order].reverse())
    ahead[at] = Math.max(
      0,
      ...onward(found, at).map(({ to, sendsRequest }) => (ahead[to] ?? 0) + (sendsRequest ? 1 : 0)),
    );
  return ahead[0] ?? 0;
}
