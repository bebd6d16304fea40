/**
 * What can happen to a run, in pawl's own words. Jobs and the outside world speak to the loop machine in these
 * events and in nothing else. Events that answer a job carry the turn and attempt they belong to: an answer to
 * an earlier question is ignored.
 */
import type { Forecast } from './budget.ts';
import type { Limits } from './limits.ts';
import type { AssistantMessage, Reply, Usage } from './protocol.ts';
import type { CancelSignal, Stop } from './status.ts';
import type { ClosedCall, Verdict } from './turn.ts';

/** What the machine wants saved before it goes on. The journal adds number, time and checksum. */
export type PendingRecord =
  | {
      readonly type: 'reply.received';
      readonly turn: number;
      readonly attempt: number;
      readonly message: AssistantMessage;
      readonly problems: readonly string[];
      readonly costUsd: number;
    }
  | {
      readonly type: 'results.recorded';
      readonly turn: number;
      readonly callIds: readonly string[];
      /** User text behind the results. */
      readonly notice: string | null;
    }
  /** User text that asks for the answer that an empty reply was not. */
  | { readonly type: 'nudge.recorded'; readonly turn: number; readonly text: string }
  | {
      readonly type: 'run.closing';
      readonly turn: number;
      readonly stop: Stop;
      readonly results: readonly ClosedCall[];
      readonly notice: string | null;
    }
  | {
      readonly type: 'summary.received';
      readonly turn: number;
      readonly attempt: number;
      readonly message: AssistantMessage;
      readonly problems: readonly string[];
      readonly costUsd: number;
    };

/** A request that brought no reply. `retryable`: another try may succeed; `delayMs`: after this wait. */
export interface AttemptFailure {
  readonly kind: 'connection' | 'interrupted' | 'idle' | 'http' | 'malformed' | 'context' | 'script';
  readonly message: string;
  readonly status?: number;
  readonly retryable: boolean;
  readonly delayMs: number;
  /** What the attempt is billed for nevertheless, as far as the server had said; at list price where that is known. */
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** The server may have gone on after its last word, and charge for that too. Absent in older journals. */
  readonly unsettled?: true;
}

interface Position {
  readonly turn: number;
  readonly attempt: number;
}

export type LoopEvent =
  | ({ readonly type: 'model.replied'; readonly message: AssistantMessage; readonly reply: Reply } & Position)
  | ({ readonly type: 'model.failed'; readonly failure: AttemptFailure } & Position)
  | ({ readonly type: 'wait.elapsed' } & Position)
  | ({ readonly type: 'prompt.measured'; readonly forecast: Forecast; readonly isExact: boolean } & Position)
  | { readonly type: 'record.saved'; readonly record: PendingRecord['type']; readonly turn: number }
  | { readonly type: 'record.failed'; readonly message: string }
  | { readonly type: 'calls.reviewed'; readonly turn: number; readonly verdicts: readonly Verdict[] }
  /** `fingerprint`: of the call that the person saw. Journals of before have none. */
  | {
      readonly type: 'approval.granted' | 'approval.denied';
      readonly turn: number;
      readonly callId: string;
      readonly fingerprint?: string;
    }
  /** Nobody answers now; what is still open is decided later, in this process or another one. */
  | { readonly type: 'approvals.postponed'; readonly turn: number }
  | { readonly type: 'tool.started'; readonly turn: number; readonly callId: string }
  | {
      readonly type: 'tool.finished';
      readonly turn: number;
      readonly callId: string;
      readonly fingerprint: string;
    }
  | { readonly type: 'calls.finished'; readonly turn: number }
  | { readonly type: 'run.cancelled'; readonly signal: CancelSignal; readonly atQuestion?: true }
  | { readonly type: 'time.expired' }
  /** The run goes on in another process, with these limits from here on. */
  | { readonly type: 'run.resumed'; readonly limits: Limits };

/** Sent by the machine to the running `executeTools` job: stop what runs, start nothing more, then report. */
export interface StopCalls {
  readonly type: 'calls.stop';
  readonly stop: Stop | null;
}
