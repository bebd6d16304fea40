import type { Effect } from '../../machines/protocol.ts';

/** One call, whole, as the person sees it. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly effect: Effect;
}

/** `reason` goes to the model as the call's error result, so it says what the model can do next. */
export type ApprovalAnswer =
  | { readonly granted: true }
  | { readonly granted: false; readonly reason: string };

/** Whoever answers: a terminal, a page, nobody. Asked one call at a time; an abort ends the question. */
export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}
