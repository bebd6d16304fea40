import type { AttemptFailure } from '../../machines/events.ts';
import type { AssistantMessage, Message, Usage } from '../../machines/protocol.ts';

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
  /** Told of each sign of the other side. Inputs of calls and hidden thinking bring no text, but they bring these. */
  readonly onActivity?: (sign: Sign) => void;
}

/** `life`: something has come, be it headers or a ping. `progress`: it was a part of the reply. */
export type Sign = 'life' | 'progress';

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
   * Rejects with ModelFailure; on abort with whatever, best with the reason of the signal. Where that is a ModelFailure
   * and the server has named figures before, it is rejected with these in it.
   */
  ask(request: ModelRequest, options: AskOptions): Promise<AssistantMessage>;
  /**
   * How many tokens the prompt of a request has, as the service estimates it; caching does not matter. Absent where
   * nobody can say. Rejects like `ask`.
   */
  countTokens?(request: ModelRequest, options: Pick<AskOptions, 'signal'>): Promise<number>;
}

export interface FailureDetails {
  readonly kind: AttemptFailure['kind'];
  readonly retryable: boolean;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly cause?: unknown;
}

/** A request that brought no complete reply. Says whether another try may help and how long the server asks to wait. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: AttemptFailure['kind'];
  readonly retryable: boolean;
  readonly status: number | undefined;
  /** What the server asked for; undefined: it did not say. */
  readonly retryAfterMs: number | undefined;
  /** What the server had said of the reply before it failed: that much is billed. Undefined: it had said nothing. */
  readonly usage: Usage | undefined;
  constructor(message: string, details: FailureDetails) {
    super(message, { cause: details.cause });
    this.kind = details.kind;
    this.retryable = details.retryable;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.usage = details.usage;
  }

  /** The same failure of a reply that figures are known of. */
  withUsage(usage: Usage | undefined): ModelFailure {
    return usage === undefined ? this : new ModelFailure(this.message, { ...this, cause: this.cause, usage });
  }
}
