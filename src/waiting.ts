import type { Effect, FileState } from '../machines/protocol.ts';
import type { Fold } from './journal/fold.ts';
import type { Transcript } from './journal/transcript.ts';

/** A call that a person is to decide about, and has not. */
export interface WaitingCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly effect: Effect;
  /** Digest of tool name and input: a decision is bound to it. */
  readonly fingerprint: string;
  /** The file that it would change, as it was when the call was reviewed: a yes is for that alone. */
  readonly file?: FileState;
}

/** @param calls of the machine's context. @returns what waits, in call order */
export const waitingAmong = (
  { calls }: Pick<Fold['snapshot']['context'], 'calls'>,
  transcript: Transcript,
): WaitingCall[] =>
  calls.flatMap((call) => {
    if (call.progress !== 'waiting') return [];
    const { id: callId, name: tool, effect, fingerprint } = call;
    const file = transcript.askedAbout(callId);
    const { input } = transcript.openCall(callId) ?? {};
    return [{ callId, tool, input, effect, fingerprint, ...(file && { file }) }];
  });

/** What waits in a run that is not at work. */
export const waitingCalls = ({ snapshot, transcript }: Fold): WaitingCall[] =>
  snapshot.matches('awaitingApproval') ? waitingAmong(snapshot.context, transcript) : [];
