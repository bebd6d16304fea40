/** The loop machine's context and what it hands to each job. Small and plain: JSON in every state, no messages. */
import {
  type Allowance,
  type Concluding,
  type Forecast,
  NOTHING_UNSETTLED,
  type ResultRoom,
  resultRoom,
  type Unsettled,
} from './budget.ts';
import type { AttemptFailure, PendingRecord } from './events.ts';
import { type Counters, type Limits, NO_COUNTERS } from './limits.ts';
import type { Reply, Usage } from './protocol.ts';
import { NO_USAGE, totalTokens } from './reply.ts';
import type { Stop } from './status.ts';
import type { Call } from './turn.ts';
import { windowOf } from './window.ts';

/** What the state in hand guarantees to be there. @throws Error when it is not: a defect of the machine. */
export function held<Value>(value: Value | null, what: string): Value {
  if (value === null) throw new Error(`the loop machine has no ${what} in a state that needs one`);
  return value;
}

export interface LoopInput {
  readonly limits: Limits;
  /** From a run that has ended and is taken up again. */
  readonly carried?: Carried;
}

export interface LoopContext {
  readonly limits: Limits;
  /** The turn in hand, from 1, and the request within it, from 1. */
  readonly turn: number;
  readonly attempt: number;
  readonly usage: Usage;
  readonly costUsd: number;
  /** Beside usage and cost. */
  readonly unsettled: Unsettled;
  /** Requests for a summary, of this and earlier stretches, that the service has worked on, or may have. */
  readonly summaryTries: number;
  readonly counters: Counters;
  /** Output limit of the next request; grows within a turn when a reply was cut. */
  readonly maxOutputTokens: number;
  /** Continuations of the turn in hand after `pause_turn`. */
  readonly pauses: number;
  /** Empty replies in a row that were answered by asking for an answer. */
  readonly nudges: number;
  /** Tokens that the next request reads at most, as far as the machine knows; null: it does not. */
  readonly promptTokens: number | null;
  /** Where it was measured: what the request in hand may come to, and what it is therefore allowed. */
  readonly forecast: Forecast | null;
  readonly allowance: Allowance | null;
  /** Failed attempts of the request in hand, in a row, and the last of them. */
  readonly failures: number;
  readonly failure: AttemptFailure | null;
  readonly reply: Reply | null;
  /** Calls of the reply in hand. The service waits for a result of each. */
  readonly calls: readonly Call[];
  /** Fingerprints of the last rounds of calls. */
  readonly rounds: readonly string[];
  /** What is being saved. */
  readonly pending: PendingRecord | null;
  readonly stop: Stop | null;
}

/** What of an ended run counts on when it is taken up again. */
export type Carried = Pick<
  LoopContext,
  'turn' | 'attempt' | 'pauses' | 'usage' | 'costUsd' | 'unsettled' | 'summaryTries' | 'counters'
>;

/** @throws Error where there is no input, as from plain JavaScript */
export function initialContext(input: LoopInput | undefined): LoopContext {
  if (!input?.limits) throw new Error('the loop machine needs { input: { limits } }');
  const { limits, carried } = input;
  return {
    limits,
    turn: 1,
    attempt: 1,
    usage: NO_USAGE,
    costUsd: 0,
    unsettled: NOTHING_UNSETTLED,
    summaryTries: 0,
    counters: NO_COUNTERS,
    maxOutputTokens: limits.maxOutputTokens,
    pauses: 0,
    nudges: 0,
    promptTokens: null,
    forecast: null,
    allowance: null,
    failures: 0,
    failure: null,
    reply: null,
    calls: [],
    rounds: [],
    pending: null,
    stop: null,
    ...carried,
  };
}

/** What a state hands to the job that it invokes. `conclude`: the summary turn, without tools. */
export interface JobInputs {
  askModel: {
    readonly turn: number;
    readonly attempt: number;
    readonly failures: number;
    readonly maxOutputTokens: number;
    readonly conclude: boolean;
    /** The model that is asked instead of one that refused. */
    readonly fallback: boolean;
  };
  measurePrompt: {
    readonly turn: number;
    readonly attempt: number;
    readonly conclude: boolean;
    readonly fallback: boolean;
    readonly spending: Concluding;
    /** Output tokens that would be asked for without budgets. */
    readonly wanted: number;
    readonly window: number | null;
  };
  watchClock: { readonly timeoutMs: number | null };
  waitBeforeRetry: { readonly turn: number; readonly attempt: number; readonly delayMs: number };
  appendJournal: { readonly record: PendingRecord };
  reviewCalls: { readonly turn: number; readonly calls: readonly Call[] };
  awaitApproval: { readonly turn: number; readonly calls: readonly Call[] };
  /** `maxResultBytes`: what a budget leaves for each result; null: no bound. */
  executeTools: {
    readonly turn: number;
    readonly calls: readonly Call[];
    readonly maxResultBytes: number | null;
  };
}

export type JobName = keyof JobInputs;

/** The longest summary that is asked for. */
const SUMMARY_OUTPUT_TOKENS = 8_192;
export const summaryTokens = ({ limits }: LoopContext): number =>
  Math.min(limits.maxOutputTokens, SUMMARY_OUTPUT_TOKENS);

export const jobInput: {
  readonly [Name in JobName]: (scope: { context: LoopContext }) => JobInputs[Name];
} & {
  readonly askForSummary: (scope: { context: LoopContext }) => JobInputs['askModel'];
  readonly measureSummary: (scope: { context: LoopContext }) => JobInputs['measurePrompt'];
} = {
  askModel: ({ context }) => asking(context, context.maxOutputTokens, false),
  askForSummary: ({ context }) => asking(context, summaryTokens(context), true),
  measurePrompt: ({ context }) => measuring(context, context.maxOutputTokens, false),
  measureSummary: ({ context }) => measuring(context, summaryTokens(context), true),
  watchClock: ({ context: { limits } }) => ({ timeoutMs: limits.timeoutMs }),
  waitBeforeRetry: ({ context: { turn, attempt, failure } }) => ({
    turn,
    attempt,
    delayMs: held(failure, 'failure').delayMs,
  }),
  appendJournal: ({ context: { pending } }) => ({ record: held(pending, 'record') }),
  reviewCalls: ({ context: { turn, calls } }) => ({ turn, calls }),
  awaitApproval: ({ context: { turn, calls } }) => ({ turn, calls }),
  executeTools: ({ context }) => ({
    turn: context.turn,
    calls: context.calls,
    maxResultBytes: roomForResults(context)?.bytes ?? null,
  }),
};

function asking(context: LoopContext, wanted: number, conclude: boolean): JobInputs['askModel'] {
  const { turn, attempt, failures, allowance, counters } = context;
  const maxOutputTokens = Math.min(wanted, allowance?.tokens ?? wanted);
  return { turn, attempt, failures, maxOutputTokens, conclude, fallback: counters.fallbacks > 0 };
}

function measuring(context: LoopContext, wanted: number, conclude: boolean): JobInputs['measurePrompt'] {
  const { turn, attempt, limits, usage, costUsd, unsettled, summaryTries, counters } = context;
  const fallback = counters.fallbacks > 0;
  const spending = { limits, usage, costUsd, unsettled, summaryTries };
  return { turn, attempt, conclude, fallback, spending, wanted, window: windowOf(context) };
}

/** What a budget leaves for each result of the calls in hand; null where there is none. */
export function roomForResults(context: LoopContext): ResultRoom | null {
  const { forecast, reply, calls } = context;
  if (forecast === null) return null;
  // A service that does not say what a reply has cost leaves what was forecast.
  const promptTokens = totalTokens(held(reply, 'reply').usage) || forecast.inputTokens;
  return resultRoom(context, forecast, promptTokens, calls.length);
}

/**
 * Turn and attempt of the next request once a turn is over. A turn is a complete reply, so that turns are numbered as they are
 * counted, also behind pauses, summaries and replies that did not count; and no two requests of a run have the same place.
 */
export function nextPlace({
  turn,
  attempt,
  counters,
  reply,
  failures,
}: LoopContext): Pick<LoopContext, 'turn' | 'attempt'> {
  const next = counters.turns + 1;
  if (next !== turn) return { turn: next, attempt: 1 };
  return { turn, attempt: reply !== null || failures > 0 ? attempt + 1 : attempt };
}
