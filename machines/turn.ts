/**
 * The calls of one reply as data: how far each has got, and what the model is told about those that never ran. Pure; the
 * loop machine decides on these values and on nothing else.
 */
import type { Effect, FileState, Reply } from './protocol.ts';
import type { Stop } from './status.ts';

/** A call of the reply in hand. Only an approved one may be executed. */
export type Call =
  | { readonly id: string; readonly name: string; readonly progress: 'planned' }
  | { readonly id: string; readonly name: string; readonly progress: 'refused'; readonly fingerprint: string }
  | {
      readonly id: string;
      readonly name: string;
      readonly progress: 'waiting' | 'approved' | 'started' | 'finished';
      readonly effect: Effect;
      /** Digest of name, input and (once finished) result: what stuck detection compares. */
      readonly fingerprint: string;
    };

/** What the review says of one call. `refuse` carries the text that the model gets as its error result. */
export type Verdict =
  | {
      readonly callId: string;
      readonly verdict: 'approve' | 'ask';
      readonly effect: Effect;
      readonly fingerprint: string;
      readonly rule?: string;
      /** Of a call that asks: a yes is for the file as it was then. */
      readonly file?: FileState;
    }
  | {
      readonly callId: string;
      readonly verdict: 'refuse';
      readonly fingerprint: string;
      readonly reason: string;
      readonly denied?: boolean;
      readonly rule?: string;
    };

/** The answer to a call that was not run. */
export interface ClosedCall {
  readonly callId: string;
  readonly content: string;
}

export const planCalls = (reply: Reply): Call[] =>
  reply.kind === 'calls' ? reply.calls.map(({ id, name }) => ({ id, name, progress: 'planned' })) : [];

/** @throws Error when a call has no verdict: it would be neither run nor answered, and the next request refused. */
export function applyVerdicts(calls: readonly Call[], verdicts: readonly Verdict[]): Call[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.callId, verdict]));
  return calls.map((call) => {
    const { id, name } = call;
    const found = byId.get(id);
    if (found === undefined) throw new Error(`the review has no verdict on the call ${id}`);
    const { fingerprint } = found;
    if (found.verdict === 'refuse') return { id, name, progress: 'refused', fingerprint };
    const progress = found.verdict === 'approve' ? 'approved' : 'waiting';
    return { id, name, progress, effect: found.effect, fingerprint };
  });
}

type Running = Extract<Call, { effect: Effect }>;

/** Moves one call on, if it stands where the step begins; otherwise nothing changes. */
export function advance(
  calls: readonly Call[],
  callId: string,
  from: readonly Running['progress'][],
  to: Running['progress'] | 'refused',
  fingerprint?: string,
): Call[] {
  return calls.map((call) => {
    if (call.id !== callId || !('effect' in call) || !from.includes(call.progress)) return call;
    const { id, name } = call;
    const digest = fingerprint ?? call.fingerprint;
    if (to === 'refused') return { id, name, progress: 'refused', fingerprint: digest };
    return { ...call, progress: to, fingerprint: digest };
  });
}

/** A decision that names another input than the call has is none. */
export const isDecidedBy = (
  { callId, fingerprint }: { readonly callId: string; readonly fingerprint?: string | undefined },
  call: Call,
): boolean =>
  call.id === callId &&
  call.progress !== 'planned' &&
  (fingerprint === undefined || fingerprint === call.fingerprint);

export const isSettled = (call: Call): boolean => call.progress === 'finished' || call.progress === 'refused';

/**
 * What a round of calls came to, for comparison with earlier rounds.
 * @throws Error when a call has no outcome: the next request would be refused for it.
 */
export function roundOf(calls: readonly Call[]): string {
  return calls
    .map((call) => {
      if (call.progress === 'finished' || call.progress === 'refused') return call.fingerprint;
      throw new Error(`the calls were reported as finished, but ${call.id} has no outcome`);
    })
    .join(' ');
}

const WHY: Record<Stop['status'], string> = {
  max_turns: 'the turn limit of this run is reached',
  token_budget: 'the token budget of this run is used up',
  cost_budget: 'the money budget of this run is used up',
  max_tool_calls: 'the limit on tool calls of this run is reached',
  time_limit: 'the time limit of this run is reached',
  stuck: 'the same calls have given the same results again and again',
  cancelled: 'the person cancelled the run',
};

/**
 * An answer for every call that has none, so that the history stays one the service accepts. A call that was started
 * may have had its effect, so it is not called "not executed".
 */
export function closeCalls(calls: readonly Call[], stop: Stop): ClosedCall[] {
  return calls
    .filter((call) => !isSettled(call))
    .map(({ id, progress }) => ({
      callId: id,
      content:
        progress === 'started'
          ? `Started, outcome unknown: ${WHY[stop.status]}. Check the state of things before repeating it.`
          : `Not executed: ${WHY[stop.status]}.`,
    }));
}

/** Behind the results of a round that has been the same again and again. */
export const REPETITION_NOTICE =
  'These calls have given the same results several times now. Making them again will not help: try another way, or answer with what you have.';

/** In answer to an empty reply. */
export const NUDGE = 'Your reply was empty. Go on with the task, or give your answer now.';

/** The user text that opens the summary turn. */
export function summaryNotice(stop: Stop): string {
  const why = WHY[stop.status];
  return (
    `${why.charAt(0).toUpperCase()}${why.slice(1)}. Tools are switched off from here on. ` +
    'Answer now from what you have: give the result as far as it goes, then say what is still open or was not checked.'
  );
}
