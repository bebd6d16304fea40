import type { ToolContent } from '../../machines/protocol.ts';

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

/**
 * Code of the person that is asked about calls. Before a call, a text is the reason why it is denied; after one, it is a note
 * behind the result. Nothing: go on. Whatever else it does (throw, take too long) fails closed: the call is denied, or its
 * result becomes an error.
 */
export interface Hook<Facts> {
  /** For messages and records. */
  readonly name: string;
  /** The tools that it is asked about, `*` standing for any letters. Default: all. */
  readonly tools?: readonly string[];
  /** Default: ten seconds. */
  readonly timeoutMs?: number;
  run(facts: Facts, signal: AbortSignal): string | undefined | Promise<string | undefined>;
}

/** In the order in which they are asked. A call that is denied already is not asked about. */
export interface Hooks {
  readonly beforeCall?: readonly Hook<CallFacts>[];
  readonly afterCall?: readonly Hook<ResultFacts>[];
}
