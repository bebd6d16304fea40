import type { AttemptFailure } from '../../machines/events.ts';
import type { AssistantMessage, Message } from '../../machines/protocol.ts';

/** One request. Every field but `messages`, `maxOutputTokens` and `toolsOff` stays the same through a run. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
  }[];
  /** The summary turn: the same tools are sent, and the model may not use them. */
  readonly toolsOff: boolean;
  readonly maxOutputTokens: number;
  readonly effort: string | null;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Text as it arrives. What was shown is void if the request fails afterwards. */
  readonly onText?: (text: string) => void;
  /** Any part of the reply has come: the stream is not silent. Inputs of calls and hidden thinking bring no text. */
  readonly onActivity?: () => void;
}

/**
 * A model behind one call. Clients never retry and never keep a conversation: the loop machine does the one,
 * the journal the other.
 */
export interface ModelClient {
  /** For people: "api.anthropic.com", "script.yaml". */
  readonly name: string;
  /** What must never be seen in a result, a record or a log. */
  readonly secrets?: readonly string[];
  /**
   * Resolves with the complete assistant message, verbatim: unknown fields and blocks kept, content in order.
   * Rejects with ModelFailure; on abort with whatever, since nobody listens any more.
   */
  ask(request: ModelRequest, options: AskOptions): Promise<AssistantMessage>;
}

type Kind = AttemptFailure['kind'];

/** A request that brought no complete reply. Says whether another try may help and how long the server asks to wait. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: Kind;
  readonly retryable: boolean;
  readonly status: number | undefined;
  /** What the server asked for; undefined: it did not say. */
  readonly retryAfterMs: number | undefined;
  constructor(
    message: string,
    details: { kind: Kind; retryable: boolean; status?: number; retryAfterMs?: number; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.kind = details.kind;
    this.retryable = details.retryable;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}
