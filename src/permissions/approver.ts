import type { Effect, FileState } from '../../machines/protocol.ts';

/** One call, whole, as the person sees it. */
export interface ApprovalRequest {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly effect: Effect;
  /** Digest of tool name and input: a decision that was made elsewhere is bound to it. */
  readonly fingerprint: string;
  /** Why it asks. */
  readonly rule?: string;
  /** Whether it asks whatever the mode: then --yes does not spare the question. */
  readonly inEveryMode?: boolean;
  /** The file that it would change, as it was when the call was reviewed: a yes is for that alone. */
  readonly file?: FileState | undefined;
  /** How many calls of the same reply ask behind this one. */
  readonly behind?: number;
  /** Absolute real path. */
  readonly workspace: string;
}

/**
 * `reason` goes to the model as the call's error result, so it says what the model can do next. `always`: what
 * `sessionRule` names is not asked about again in this process. 'later': nobody decides now; the run is suspended once all
 * its calls were asked about. 'stop': the run is cancelled.
 */
export type ApprovalAnswer =
  | { readonly granted: true; readonly always?: boolean }
  | { readonly granted: false; readonly reason: string }
  | 'later'
  | 'stop';

/** The reason of an abort, where somebody else was faster to answer. */
export class AnsweredElsewhere {
  constructor(readonly answer: ApprovalAnswer) {}
}

/** Whoever answers: a terminal, a page, nobody. Asked one call at a time; an abort ends the question. */
export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** Lets every call wait for a decision from elsewhere. */
export const later: Approver = { ask: async () => 'later' };
