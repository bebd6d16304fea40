import type { ToolContent } from '../../machines/protocol.ts';
import type { RunStatus } from '../../machines/status.ts';

/** What a hook is told of a call. */
export interface CallFacts {
  readonly runId: string;
  /** Absolute real path. */
  readonly workspace: string;
  readonly turn: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface ResultFacts extends CallFacts {
  readonly result: ToolContent;
  readonly isError: boolean;
}

/** What a hook is told of the end of a run, or of its being suspended. */
export interface EndFacts extends Pick<CallFacts, 'runId' | 'workspace'> {
  readonly task: string;
  readonly status: RunStatus;
  readonly exitCode: number;
  readonly result: string | null;
  readonly turns: number;
  readonly errors: readonly string[];
}

/** What all hooks have. */
export interface Asked<Facts> {
  /** For messages and records. */
  readonly name: string;
  /** Default: ten seconds. */
  readonly timeoutMs?: number;
  run(facts: Facts, signal: AbortSignal): string | undefined | Promise<string | undefined>;
}

/**
 * Code of the person that is asked about calls. Before a call, a text is the reason why it is denied; after one, it is a note
 * behind the result. Nothing: go on. Whatever else it does (throw, take too long) fails closed: the call is denied, or its
 * result becomes an error.
 */
export interface Hook<Facts> extends Asked<Facts> {
  /** The tools that it is asked about, `*` standing for any letters. Default: all. */
  readonly tools?: readonly string[];
}

/** Told how a run has ended. A text, or a failure, becomes one of the errors of the run; its status stays what it is. */
export interface EndHook extends Asked<EndFacts> {
  /** The statuses that it is told of. Default: all. */
  readonly statuses?: readonly RunStatus[];
}

/** In the order in which they are asked. A call that is denied already is not asked about. */
export interface Hooks {
  readonly beforeCall?: readonly Hook<CallFacts>[];
  readonly afterCall?: readonly Hook<ResultFacts>[];
  readonly afterRun?: readonly EndHook[];
}
