/**
 * The journal's vocabulary: facts in pawl's own words. One record is one line; the state of a run is the fold of
 * the loop machine over its records, and the message list is a projection of the same records.
 * A change that an older pawl could not read raises RECORD_VERSION.
 */
import type { Forecast } from '../../machines/budget.ts';
import type { AttemptFailure, PendingRecord } from '../../machines/events.ts';
import type { Limits } from '../../machines/limits.ts';
import type { Effect, FileVersion, ToolContent, Usage } from '../../machines/protocol.ts';
import type { CancelSignal, EndStatus, Stop } from '../../machines/status.ts';
import type { Verdict } from '../../machines/turn.ts';

export const RECORD_VERSION = 2;

/** What the model was told about a tool. Recorded, because later requests must repeat it to the letter. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** A command that says by its exit code whether the work is done. It is repeated after a crash, so it must be one that may be. */
export interface Check {
  /** For `bash -c`, in the workspace. */
  readonly command: string;
  readonly timeoutMs: number;
  /** Times that the model is told of a failure and gets to mend it, in the whole run. */
  readonly maxRepairs: number;
}

/** The header, record 0: everything that a later process needs. Permissions are not in it: each process is given its own. */
export interface RunStarted {
  readonly type: 'run.started';
  readonly version: number;
  readonly pawl: string;
  readonly runId: string;
  readonly task: string;
  /** Absolute real path. */
  readonly workspace: string;
  readonly model: string;
  readonly system: string;
  readonly effort: string | null;
  /** Asked instead of one that refuses; the run then stays with it. */
  readonly fallbackModel: string | null;
  readonly limits: Limits;
  readonly tools: readonly (ToolSpec & { readonly effect: Effect })[];
  /** Absent: answers are not checked. */
  readonly check?: Check;
  /** What whoever started the run needs to start it again, such as an agent file. Plain JSON; the loop does not read it. */
  readonly settings?: { readonly [name: string]: unknown };
  /** A fork: the records up to this one are those of another run. */
  readonly origin?: { readonly runId: string; readonly seq: number; readonly at?: string };
}

/** Another process goes on with the run, whatever it ended with. From here on these limits and this workspace count. */
export interface RunResumed {
  readonly type: 'run.resumed';
  readonly version: number;
  readonly pawl: string;
  readonly workspace: string;
  readonly limits: Limits;
  /** Absent: as it was. */
  readonly check?: Check;
  /** Repairs so far, which go on to count. Absent in journals of before, which counted them anew. */
  readonly repairs?: number;
  /** What the model is told, after the results of calls that are open. */
  readonly instruction: string | null;
  /** What is other than in the header's settings. */
  readonly settings?: { readonly [name: string]: unknown };
}

/** A call is about to change a file, and what it was is kept beside the journal. */
export interface FileKept {
  readonly type: 'file.kept';
  readonly turn: number;
  readonly callId: string;
  /** From the workspace on, without links. */
  readonly path: string;
  /** null: there was no such file. The digest names the content that is kept. */
  readonly before: { readonly digest: string; readonly mode: number } | null;
  /** Digest of what is written now. */
  readonly after: string;
  /** The uppermost folder that is made for it, from the workspace on. */
  readonly madeFolder?: string;
}

export type RecordBody =
  | RunStarted
  | PendingRecord
  | {
      readonly type: 'attempt.failed';
      readonly turn: number;
      readonly attempt: number;
      readonly failure: AttemptFailure;
    }
  | {
      readonly type: 'prompt.measured';
      readonly turn: number;
      readonly attempt: number;
      readonly forecast: Forecast;
      readonly isExact: boolean;
    }
  | { readonly type: 'calls.reviewed'; readonly turn: number; readonly verdicts: readonly Verdict[] }
  | {
      readonly type: 'approval.granted';
      readonly turn: number;
      readonly callId: string;
      /** Of the call that was decided about, as the review recorded it. */
      readonly fingerprint?: string;
      /** What decided in place of a person. */
      readonly rule?: string;
    }
  | {
      readonly type: 'approval.denied';
      readonly turn: number;
      readonly callId: string;
      readonly fingerprint?: string;
      readonly rule?: string;
      readonly content: string;
    }
  | { readonly type: 'tool.started'; readonly turn: number; readonly callId: string }
  | FileKept
  | {
      readonly type: 'tool.finished';
      readonly turn: number;
      readonly callId: string;
      readonly content: ToolContent;
      readonly isError: boolean;
      readonly fingerprint: string;
      readonly durationMs: number;
      /** What the model knows of a file from here on: a change of it must begin with this version. */
      readonly file?: FileVersion;
    }
  /** What a check of the answer came to. `stop`: it was broken off, and says nothing of the work. */
  | {
      readonly type: 'check.finished';
      /** Number of the check in the run, from 1. */
      readonly attempt: number;
      readonly command: string;
      readonly passed: boolean;
      /** null: it did not end by itself. */
      readonly exitCode: number | null;
      /** How it ended and what it printed, as the model is told. */
      readonly output: string;
      readonly durationMs: number;
      readonly stop: Stop | null;
    }
  /** The loop begins anew, and this is what the model is told. */
  | { readonly type: 'repair.started'; readonly repair: number; readonly instruction: string }
  | RunResumed
  /** Tells readers at a glance how the run ended; the fold finds the same without it. */
  | {
      readonly type: 'run.ended';
      readonly status: EndStatus;
      readonly signal?: CancelSignal;
      readonly turns: number;
      readonly usage: Usage;
      readonly costUsd: number;
    };

export type RecordType = RecordBody['type'];

/** A record as it stands in the journal: numbered from 0, with the time of writing (ISO 8601, UTC). */
export type JournalRecord = RecordBody & { readonly seq: number; readonly at: string };
