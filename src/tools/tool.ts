import type * as z from 'zod';
import type { ContentBlock, Effect, FileState, FileVersion } from '../../machines/protocol.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A call that came to an end, as later calls may see it. */
export interface FinishedCall {
  readonly name: string;
  readonly input: unknown;
  readonly isError: boolean;
  readonly file?: FileVersion;
}

/** What a call is about to do to a file. */
export interface FileChange {
  /** From the workspace on, without links. */
  readonly path: string;
  /** null: there is no such file. */
  readonly before: { readonly content: Uint8Array; readonly mode: number } | null;
  /** The version that is written. */
  readonly after: string;
  /** The uppermost folder that is made for it. */
  readonly madeFolder?: string;
}

/** Where file tools may go. */
export interface Bounds {
  /** Absolute real path of the folder that the run works in. */
  readonly workspace: string;
  /** Beginnings of absolute real paths that are closed all the same: the records of runs. That of a folder ends in a slash. */
  readonly closed?: readonly string[];
}

export interface ToolContext extends Bounds {
  /** Aborted when the run is cancelled or its time is over: stop at once, leave nothing running. */
  readonly signal: AbortSignal;
  /** The only way to start a process. */
  readonly sandbox: Sandbox;
  /** Calls of this run that finished before this one, oldest first. */
  readonly finishedCalls: () => readonly FinishedCall[];
  /**
   * To be called right before a file is changed: keeps what it was, for `pawl undo`. The change may follow when this has
   * resolved. Where the run keeps no journal, nothing is kept.
   */
  readonly keepFile: (change: FileChange) => Promise<void>;
  /** As many bytes of the result as the model gets: what is longer is cut in its middle. */
  readonly maxResultBytes: number;
  /** What a person who was asked about this call has been shown of its file: a change of anything else was not allowed. */
  readonly asked?: FileState | undefined;
}

/** Text, blocks in the service's form, or a process result whose failure is told by `isError`. */
export type ToolOutput =
  | string
  | {
      readonly content: string | readonly ContentBlock[];
      readonly isError: boolean;
      readonly file?: FileVersion;
    };

/**
 * A tool. `effect` decides how calls are scheduled (reads side by side, all others one after the other) and how an
 * interrupted call is settled. The schema is a Zod object; unknown keys are refused.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** For the model: what it does, what it returns, its limits. */
  readonly description: string;
  readonly input: Schema;
  readonly effect: Effect;
  /** Runs programs that the model chose or wrote. Where they cannot be confined, its calls are asked for. */
  readonly runsCommands?: boolean;
  /** Meant to be called again and again with the same input: never counts as being stuck. */
  readonly polls?: boolean;
  /** The file that a call would change, as it is now. Looked up for each question, so that the answer counts for that alone. */
  fileOf?(input: z.output<Schema>, workspace: string): Promise<FileState | undefined>;
  /** A deterministic rule, checked right before the call would run. A text is the error result, and the call does not run. */
  precondition?(
    input: z.output<Schema>,
    context: ToolContext,
  ): string | undefined | Promise<string | undefined>;
  /**
   * For a call with effects that an earlier process started, and whose outcome nobody recorded: finds out what came of it.
   * The result if it happened; 'not happened': it is run now; undefined: nobody can tell, and the model is told so.
   */
  probe?(input: z.output<Schema>, context: ToolContext): Promise<ToolOutput | 'not happened' | undefined>;
  /** Expected failures are thrown as ToolFailure, or returned with `isError`. Any other throw becomes an error result too. */
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolOutput>;
}

/** An expected failure. The message is for the model and says what it can do next. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** Declares a tool with its input type taken from the schema. */
export function defineTool<Schema extends z.ZodType>(tool: Tool<Schema>): Tool<Schema> {
  return tool;
}
