/** The limits of a run as predicates over plain counters. Each is checked before a request is sent or a call is run. */
import { isCostBudgetReached, isTokenBudgetReached, type Spending } from './budget.ts';
import type { Stop } from './status.ts';

/** null: no such limit. All figures are whole numbers, `maxCostUsd` apart. */
export interface Limits {
  /** Complete replies. A safety net, not the way to stop. */
  readonly maxTurns: number;
  /** Input + cache write + cache read + output, over all replies. */
  readonly tokenBudget: number | null;
  readonly maxCostUsd: number | null;
  readonly maxToolCalls: number | null;
  /** Calls of single tools, by name: what is beyond is refused, and the run goes on. Absent in older journals. */
  readonly maxCallsByTool?: Readonly<Record<string, number>>;
  /** Wall clock. Each process that takes the run up has it anew. */
  readonly timeoutMs: number | null;
  /** Equal rounds of calls (same names, inputs and results) in a row, in a period of one or two. */
  readonly maxRepeats: number | null;
  /** Failed attempts of one request that are repeated. */
  readonly maxRetries: number;
  /** Times that one turn may be continued after `pause_turn`. */
  readonly maxPauses: number;
  /** Times that another model is asked after a refusal; the run stays with it. */
  readonly maxFallbacks: number;
  /** Times that a cut reply is asked again with twice the room. */
  readonly maxTruncations: number;
  /** Output tokens that a request may ask for, at first and at most. */
  readonly maxOutputTokens: number;
  readonly outputCeiling: number;
  /** Tokens that prompt and output may have together, with the model and with the one that is asked after a refusal. */
  readonly contextWindow: number | null;
  readonly fallbackWindow: number | null;
  /** Whether a limit is followed by one turn without tools. */
  readonly summary: boolean;
}

export const DEFAULT_LIMITS: Limits = {
  maxTurns: 50,
  tokenBudget: null,
  maxCostUsd: null,
  maxToolCalls: null,
  maxCallsByTool: {},
  timeoutMs: null,
  maxRepeats: 6,
  maxRetries: 5,
  maxPauses: 10,
  maxFallbacks: 0,
  maxTruncations: 2,
  maxOutputTokens: 16_384,
  outputCeiling: 64_000,
  contextWindow: null,
  fallbackWindow: null,
  summary: true,
};

export interface Counters {
  /** Complete replies, without the summary, paused and cut ones. */
  readonly turns: number;
  /** Requests that were answered or failed, of whatever kind. */
  readonly attempts: number;
  readonly pauses: number;
  readonly truncations: number;
  readonly fallbacks: number;
  /** Since the run was started or taken up again after its end. */
  readonly summaries: number;
  /** Calls that were executed. */
  readonly toolCalls: number;
}

export const NO_COUNTERS: Counters = {
  turns: 0,
  attempts: 0,
  pauses: 0,
  truncations: 0,
  fallbacks: 0,
  summaries: 0,
  toolCalls: 0,
};

const reached = (value: number, limit: number | null): boolean => limit !== null && value >= limit;

export const isTurnLimitReached = (limits: Limits, counters: Counters): boolean =>
  counters.turns >= limits.maxTurns;

/** Calls of a round are run together or not at all. */
export const isToolCallLimitPassed = (limits: Limits, counters: Counters, asked: number): boolean =>
  limits.maxToolCalls !== null && counters.toolCalls + asked > limits.maxToolCalls;

export const isRepeating = (limits: Limits, rounds: readonly string[]): boolean =>
  reached(repetitions(rounds), limits.maxRepeats);

/** How often the last round (A A A) or the last pair of rounds (A B A B) stands at the end of the list in a row. */
export function repetitions(rounds: readonly string[]): number {
  return Math.max(trailing(rounds, 1), trailing(rounds, 2));
}

function trailing(rounds: readonly string[], period: number): number {
  let equal = 0;
  for (let at = rounds.length - 1 - period; at >= 0 && rounds[at] === rounds[at + period]; at -= 1)
    equal += 1;
  return rounds.length < period ? 0 : 1 + Math.floor(equal / period);
}

/** Repetitions at which the model is told of them; it is stopped at `maxRepeats`. */
export const NOTICED_REPEATS = 3;

/** The rounds that repetition can be seen in; older ones are forgotten. */
export const rememberRound = (limits: Limits, rounds: readonly string[], round: string): string[] =>
  limits.maxRepeats === null ? [] : [...rounds, round].slice(-2 * limits.maxRepeats);

/** Twice the room, up to what the model can give. */
export const growOutput = (limits: Limits, current: number): number =>
  Math.min(current * 2, limits.outputCeiling);

/** A cut reply is asked again a few times in a turn, and only where that changes something. */
export const canGrowOutput = (limits: Limits, current: number): boolean =>
  current < Math.min(limits.outputCeiling, limits.maxOutputTokens * 2 ** limits.maxTruncations);

/** One summary at the end; none where the person wants to leave. */
export const owesSummary = (limits: Limits, counters: Counters, stop: Stop | null): boolean =>
  limits.summary && counters.summaries === 0 && stop?.status !== 'cancelled';

/**
 * Whether a run that is being ended by a limit may go on under these limits. What no figure decides is not lifted. A budget
 * or the limit on calls may have ended it before it was used up, by a request or a round that would not have fitted; how
 * large that was is forgotten by then, so that a higher limit will do.
 */
export function isLifted(limits: Limits, { status }: Stop, spent: Spent): boolean {
  switch (status) {
    case 'max_turns':
      return !isTurnLimitReached(limits, spent.counters);
    case 'token_budget':
      return (
        !isTokenBudgetReached({ ...spent, limits }) && isHigher(limits.tokenBudget, spent.limits.tokenBudget)
      );
    case 'cost_budget':
      return (
        !isCostBudgetReached({ ...spent, limits }) && isHigher(limits.maxCostUsd, spent.limits.maxCostUsd)
      );
    case 'max_tool_calls':
      return isHigher(limits.maxToolCalls, spent.limits.maxToolCalls);
    case 'time_limit':
    case 'stuck':
    case 'cancelled':
      return false;
  }
}

const isHigher = (limit: number | null, than: number | null): boolean =>
  limit === null || (than !== null && limit > than);

/** Under the limits so far. */
export interface Spent extends Spending {
  readonly counters: Counters;
}
