import type { AttemptFailure } from '../../machines/events.ts';
import type { Usage } from '../../machines/protocol.ts';
import type { ModelFailure } from '../model/client.ts';
import { mayHaveBegun } from './may-have-begun.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** The longest time that a timer can hold: a wait is one timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How far chance takes a wait down and up, so that clients do not meet. */
const SPREAD = { least: 0.75, most: 1.25 };

export interface RetryRules {
  /** A server that asks for more is not waited for, and no wait of our own is longer. */
  readonly maxRetryWaitMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** What usage costs; undefined where the price is unknown. */
  readonly costOf: (usage: Usage) => number | undefined;
}

/**
 * A failure as the loop and the journal know it.
 * @param failures how many came before it in a row
 */
export function attemptFailure(error: ModelFailure, failures: number, rules: RetryRules): AttemptFailure {
  const { kind, message, status, retryable, retryAfterMs, usage } = error;
  const longestMs = Math.min(rules.maxRetryWaitMs, LONGEST_TIMER_MS);
  const isTooLong = retryAfterMs !== undefined && retryAfterMs > longestMs;
  const costUsd = usage && rules.costOf(usage);
  return {
    kind,
    message: isTooLong
      ? `${message} (the server asks to wait ${seconds(retryAfterMs)}; the longest wait is ${seconds(longestMs)})`
      : message,
    ...(status !== undefined && { status }),
    retryable: retryable && !isTooLong,
    delayMs: Math.ceil(retryAfterMs ?? backoffMs(failures, longestMs, rules.random)),
    ...(usage !== undefined && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    ...(mayHaveBegun(error) && { unsettled: true as const }),
  };
}

/** Doubles with each failure, up to a wait that chance does not take past the longest. */
function backoffMs(failures: number, longestMs: number, random: () => number): number {
  const most = Math.min(LONGEST_DELAY_MS, longestMs) / SPREAD.most;
  const spread = SPREAD.least + random() * (SPREAD.most - SPREAD.least);
  return Math.floor(Math.min(FIRST_DELAY_MS * 2 ** failures, most) * spread);
}

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;
