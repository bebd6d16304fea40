import type { InspectionEvent } from 'xstate';
import type { Limits } from '../machines/limits.ts';
import type { Gate } from './actors/gate.ts';
import type { Prices } from './budget/price-list.ts';
import type { Hooks } from './hooks/hook.ts';
import type { Journal } from './journal/journal.ts';
import type { Check } from './journal/record.ts';
import type { ModelClient } from './model/client.ts';
import type { RunEvent } from './outcome.ts';
import type { Approver } from './permissions/approver.ts';
import type { Policy } from './permissions/policy.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Tool } from './tools/tool.ts';

/** What a process brings along, whether it starts a run or goes on with one. */
export interface Means {
  readonly client: ModelClient;
  /** Default: all built-in tools. */
  readonly tools?: readonly Tool[];
  /** Default: reads run, what has effects asks. */
  readonly policy?: Policy;
  /** Default: nobody is there, so what asks is denied. */
  readonly approver?: Approver;
  /** Asked before and after calls. */
  readonly hooks?: Hooks;
  /** Never to be seen in a result, a record or by the model, beside those of the client: other keys of this process. */
  readonly secrets?: readonly string[];
  /** What is found by these never enters the journal, and so never reaches the model: in the task, in results, in reasons. */
  readonly redact?: readonly RegExp[];
  /** Milliseconds without a sign of the model after which an attempt has failed. Default: two minutes. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds that a server may ask to be waited for. Default: five minutes. */
  readonly maxRetryWaitMs?: number;
  /** Default: the list prices. A money budget needs the price of the model. */
  readonly prices?: Prices;
  /** Ends the run as cancelled. The reason may be 'SIGTERM'; anything else counts as 'SIGINT'. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** Runs the programs of tools. Default: one that confines nothing. */
  readonly sandbox?: Sandbox;
  readonly gate?: Gate;
  /** Gets xstate's own inspection events. */
  readonly inspect?: (inspected: InspectionEvent) => void;
  /** Milliseconds since 1970 and a number from 0 to 1, handed in by tests and simulations. */
  readonly now?: () => number;
  readonly random?: () => number;
}

export interface RunOptions extends Means {
  readonly task: string;
  /** Model id for the requests. */
  readonly model: string;
  /** Folder that the tools work in. Default: the current one. */
  readonly workspace?: string;
  readonly system?: string;
  readonly effort?: string | null;
  /** Asked once where the model refuses; the run then stays with it. */
  readonly fallbackModel?: string;
  readonly limits?: Partial<Limits>;
  /** Default: a file in the state folder, named after the run. */
  readonly journal?: Journal;
  /** Run behind each answer. Where it fails the model gets to mend it, up to `maxRepairs` times. */
  readonly check?: Pick<Check, 'command'> & Partial<Check>;
  readonly runId?: string;
  /** Kept in the journal for whoever goes on with the run. Plain JSON. */
  readonly settings?: { readonly [name: string]: unknown };
}

/** Model, system prompt and tool list stay as recorded: what the model has signed is bound to them. */
export interface ResumeOptions extends Means {
  /** What the model is told in addition. Needed where it has answered. */
  readonly instruction?: string;
  /** From here on; what is not named stays as it was. */
  readonly limits?: Partial<Limits> | ((recorded: Limits) => Partial<Limits>);
  /** From here on; what is not named stays as it was. */
  readonly check?: Partial<Check>;
  /** Where the workspace is now. Default: where it was. */
  readonly workspace?: string;
  /** Kept in the journal, like those of the run. */
  readonly settings?: { readonly [name: string]: unknown };
}
