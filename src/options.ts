import type { Limits } from '../machines/limits.ts';
import type { Gate } from './actors/gate.ts';
import type { Journal } from './journal/journal.ts';
import type { ModelClient } from './model/client.ts';
import type { RunEvent } from './outcome.ts';
import type { Approver } from './permissions/approver.ts';
import type { Policy } from './permissions/policy.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Tool } from './tools/tool.ts';

export interface RunOptions {
  readonly task: string;
  readonly client: ModelClient;
  /** Model id for the requests. */
  readonly model: string;
  /** Folder that the tools work in. Default: the current one. */
  readonly workspace?: string;
  /** Default: all built-in tools. */
  readonly tools?: readonly Tool[];
  readonly system?: string;
  readonly effort?: string | null;
  readonly limits?: Partial<Limits>;
  /** Default: reads run, what has effects asks. */
  readonly policy?: Policy;
  /** Default: nobody is there, so what asks is denied. */
  readonly approver?: Approver;
  /** Default: a file in the state folder, named after the run. */
  readonly journal?: Journal;
  readonly runId?: string;
  /** Ends the run as cancelled. The reason may be 'SIGTERM'; anything else counts as 'SIGINT'. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  readonly sandbox?: Sandbox;
  readonly gate?: Gate;
  /** Milliseconds since 1970 and a number from 0 to 1, handed in by tests and simulations. */
  readonly now?: () => number;
  readonly random?: () => number;
}
