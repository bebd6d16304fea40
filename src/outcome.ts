/** What a run tells while it goes on, and what it comes to. */
import type { Unsettled } from '../machines/budget.ts';
import type { Counters } from '../machines/limits.ts';
import type { Message, Usage } from '../machines/protocol.ts';
import type { CancelSignal, RunStatus } from '../machines/status.ts';
import type { JournalRecord } from './journal/record.ts';
import type { WaitingCall } from './waiting.ts';

export type RunEvent =
  /** A microstep of the machine: `state` is the full name, such as "persisting.response". */
  | {
      readonly type: 'transition';
      readonly from: string;
      readonly state: string;
      readonly event: string;
      readonly turn: number;
    }
  /**
   * Before the first request of a run that is taken up again: what is not as it was, and what becomes of open work. Behind
   * the first reply that does not say what it took: that.
   */
  | { readonly type: 'notice'; readonly text: string }
  /** A fact was written to the journal. The first one is run.started, or run.resumed. */
  | { readonly type: 'record'; readonly record: JournalRecord }
  /** Text of the reply as it arrives. */
  | { readonly type: 'text'; readonly text: string }
  /** The text since the last record belongs to an attempt that failed: it is void. */
  | { readonly type: 'text.withdrawn' };

export interface Denial {
  readonly callId: string;
  readonly tool: string;
  readonly reason: string;
}

/** What is known of a run at any time. */
export interface RunFacts {
  readonly runId: string;
  /** Path of the journal, or "memory"; null where none could be made. */
  readonly journal: string | null;
  /** Stop reason of the last reply, in the service's words. */
  readonly stopReason: string | null;
  readonly usage: Usage;
  /** At list price; null where the price of a reply is not known, for a sum without it would be too small. */
  readonly costUsd: number | null;
  /** What requests that broke off or were given up may have taken beyond that, at worst. It counts against the budgets. */
  readonly unsettled: Unsettled;
  readonly counters: Counters;
  /** The check passed and nothing was done since; it failed when it was run last; null: nothing is known. */
  readonly verified: boolean | null;
  /** Checks of the run; times that it was mended since it was started or taken up again. */
  readonly checks: number;
  readonly repairs: number;
  readonly denials: readonly Denial[];
  readonly durationMs: number;
  /** The message list as the model saw it and answered it. */
  readonly messages: readonly Message[];
  /** One entry for each reply of the model, summary included. */
  readonly replies: readonly {
    readonly turn: number;
    readonly attempt: number;
    readonly stopReason: string | null;
    readonly usage: Usage;
  }[];
}

export interface RunOutcome extends RunFacts {
  /** 'suspended' is no end: calls wait for an approval, and the run goes on once it is resumed. */
  readonly status: RunStatus;
  readonly exitCode: number;
  /** The answer, or the summary after a limit, or what there was of a reply; null where there is no text. */
  readonly result: string | null;
  readonly signal: CancelSignal | null;
  /** One sentence for each thing that went wrong, for a person. */
  readonly errors: readonly string[];
  /** Of a suspended run: the calls that are to be decided about. */
  readonly waiting: readonly WaitingCall[];
}

/** A defect ended the run, pawl's own or one of a part that was handed in: `cause`. */
export class RunCrashed extends Error {
  override readonly name = 'RunCrashed';
  constructor(
    cause: unknown,
    readonly facts: RunFacts,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
