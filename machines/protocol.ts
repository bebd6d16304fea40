/**
 * The words of the Messages API, as far as the loop needs them, and pawl's digest of a reply.
 * Blocks are kept open (any further field, any unknown type): what the service sent goes back unchanged.
 */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface TextBlock extends ContentBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ToolUseBlock extends ContentBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultBlock extends ContentBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: ToolContent;
  readonly is_error?: boolean;
}

/** What a tool answers: text, or blocks such as images, in the service's form. */
export type ToolContent = string | readonly ContentBlock[];

/** A file as a call has shown it to the model, or left it. */
export interface FileVersion {
  /** From the workspace on, without links. */
  readonly path: string;
  /** The same for the same content, and for no other one. */
  readonly version: string;
  /** Size of the picture that the model was shown. */
  readonly imageBytes?: number;
}

/** What a call would change, as it was at one moment. null: nothing was there. */
export interface FileState {
  readonly path: string;
  readonly version: string | null;
}

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly ContentBlock[];
}

/** A complete assistant message as the service sent it. Unknown fields stay in it. */
export interface AssistantMessage {
  readonly content: readonly ContentBlock[];
  readonly stop_reason: string | null;
  readonly usage?: { readonly [field: string]: unknown } | null;
  readonly [field: string]: unknown;
}

/** Tokens of one or more replies. On this API `input` does not contain the cached parts. */
export interface Usage {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/**
 * What a reply amounts to. `paused` is the service's own tools asking to go on; `empty` ended its turn with
 * nothing to read; `unknown` is a stop reason that pawl has no rule for.
 */
export type ReplyKind =
  | 'answer'
  | 'calls'
  | 'paused'
  | 'truncated'
  | 'refused'
  | 'exhausted'
  | 'empty'
  | 'contradiction'
  | 'unknown';

/** The small part of a reply that decides what comes next; the message itself stays in the journal. */
export interface Reply {
  readonly kind: ReplyKind;
  readonly stopReason: string | null;
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** Each contradiction found, in words for a person. */
  readonly problems: readonly string[];
  readonly usage: Usage;
  /** At list price; 0 where the price is unknown. */
  readonly costUsd: number;
}

/**
 * How an interrupted call is settled: `read` and `idempotent` are repeated; `effectful` without an outcome is
 * answered with "started, outcome unknown".
 */
export type Effect = 'read' | 'idempotent' | 'effectful';

export const isText = (block: ContentBlock): block is TextBlock =>
  block.type === 'text' && typeof block.text === 'string';

export const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use';

/** The readable text of a message: its text blocks, one after the other. */
export function textOf(content: readonly ContentBlock[]): string {
  return content
    .filter(isText)
    .map((block) => block.text)
    .join('');
}
