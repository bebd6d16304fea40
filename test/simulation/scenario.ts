/** What a seed decides before a run begins, and before each of its processes. */
import { DEFAULT_LIMITS, type Limits } from '../../machines/limits.ts';
import type { ReplyKind } from '../../machines/protocol.ts';
import type { Fate } from './life.ts';
import type { Random } from './random.ts';

export interface Profile {
  readonly limits: Limits;
  readonly replies: Readonly<Record<ReplyKind, number>>;
  /** How often a request fails, and how often the model repeats what it called before. */
  readonly failures: number;
  readonly repetition: number;
  /** How often anything takes time: without it, everything follows at once. */
  readonly slowness: number;
  readonly processes: number;
  /** How often nobody answers a question now. */
  readonly absence: number;
  /** Whether the service tells how many tokens a request has. */
  readonly canCount: boolean;
}

export function profileOf(random: Random): Profile {
  const optional = (low: number, high: number) => (random.chance(0.6) ? null : random.int(low, high));
  const odd = random.pick([0, 0.2, 0.2, 1]);
  const window = () => (random.chance(0.75) ? null : random.pick([1_500, 2_000, 150_000]));
  return {
    limits: {
      ...DEFAULT_LIMITS,
      maxTurns: random.int(1, random.pick([2, 4, 8])),
      tokenBudget: optional(8_000, 60_000),
      maxCostUsd: random.chance(0.5) ? null : random.int(5, random.pick([40, 200, 900])) / 1_000,
      timeoutMs: random.chance(0.7) ? null : random.int(1, random.pick([50, 60_000, 1_800_000])),
      contextWindow: window(),
      fallbackWindow: window(),
      maxFallbacks: random.int(0, 1),
      maxToolCalls: optional(1, 9),
      maxRepeats: optional(1, 3),
      maxRetries: random.int(0, 3),
      maxPauses: random.int(0, 3),
      maxTruncations: random.int(0, 2),
      summary: random.chance(0.75),
    },
    replies: {
      calls: random.pick([4, 10, 30]),
      answer: random.pick([1, 4]),
      paused: random.pick([0, 1, 6]),
      truncated: 2 * odd,
      // Often enough that the other model refuses too.
      refused: random.chance(0.1) ? 3 : odd / 2,
      exhausted: odd / 2,
      empty: odd / 2,
      contradiction: odd,
      unknown: odd / 2,
    },
    failures: random.pick([0, 0.05, 0.3]),
    repetition: random.pick([0, 0.2, 0.9]),
    slowness: random.pick([0.1, 0.5]),
    processes: random.pick([1, 1, 2, 2, 3, 4]),
    absence: random.pick([0, 0.4, 1]),
    canCount: random.chance(0.5),
  };
}

/** @param isLast the run must come to an end in this process */
export function fateOf(random: Random, isLast: boolean): Fate {
  const sometime = (probability: number, ranges: readonly [number, ...number[]]) =>
    random.chance(probability) ? random.int(0, random.pick(ranges)) : null;
  return {
    killAt: isLast ? null : sometime(0.85, [10, 40, 120]),
    isPowerCut: random.chance(0.5),
    cancelAt: sometime(0.1, [5, 40, 100]),
    cancelAfterMs: sometime(0.15, [5, 60_000, 60_000]),
    cancelSignal: random.pick(['SIGINT', 'SIGTERM']),
    failAppendAt: isLast ? null : sometime(0.04, [5, 30]),
    failSyncAt: isLast ? null : sometime(0.04, [3, 20]),
  };
}

/** Limits that leave room for more, whatever was spent. */
export const raised = (random: Random, limits: Limits, turns: number): Partial<Limits> => ({
  maxTurns: Math.max(limits.maxTurns, turns) + random.int(1, 4),
  tokenBudget: null,
  maxCostUsd: limits.maxCostUsd === null ? null : limits.maxCostUsd + random.int(30, 500) / 1_000,
  maxToolCalls: limits.maxToolCalls === null ? null : limits.maxToolCalls + random.int(1, 9),
});
