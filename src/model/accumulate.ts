/**
 * Builds the assistant message from the events of a stream. It is kept verbatim: fields, blocks and order are the
 * service's, also where pawl does not know them. What the protocol does not allow ends as a malformed failure, since
 * a guess would be saved and sent back for the rest of the run.
 */
import type { AssistantMessage, ContentBlock, Usage } from '../../machines/protocol.ts';
import { usageOf } from '../../machines/reply.ts';
import { ModelFailure } from './client.ts';
import { obstacleToJson } from './plain-json.ts';

type Fields = Record<string, unknown>;

/** The stop reasons under which the last block may be half a block. No call is run then, so its input does not matter. */
const CUT_SHORT: readonly unknown[] = ['max_tokens', 'model_context_window_exceeded', 'refusal'];

const INPUT = ['input_json_delta'];

/** What the blocks that pawl knows grow by. Others take what comes. */
const DELTAS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text_delta', 'citations_delta']],
  ['thinking', ['thinking_delta', 'signature_delta']],
  ['redacted_thinking', []],
  ['tool_use', INPUT],
  ['server_tool_use', INPUT],
  ['mcp_tool_use', INPUT],
  ['compaction', ['compaction_delta']],
]);

const KNOWN_DELTAS: ReadonlySet<unknown> = new Set([...DELTAS_OF.values()].flat());

export class ReplyAccumulator {
  readonly #onText: (text: string) => void;
  readonly #blocks: (Fields & ContentBlock)[] = [];
  /** Text of the inputs, by block: it can be parsed, and judged by the stop reason, only at the end. */
  readonly #inputs = new Map<number, string>();
  /** Places of the blocks that have begun and not ended. */
  readonly #unfinished = new Set<unknown>();
  #message: Fields | undefined;
  /** Whether the stop reason has come: behind it, nothing is added to the content. */
  #isConcluded = false;
  #isComplete = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Whether anything of a message has come. */
  get hasBegun(): boolean {
    return this.#message !== undefined;
  }

  /** Whether the end event has come. Without it the message is not one. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The figures so far; undefined where the stream has named none. */
  get usage(): Usage | undefined {
    const usage = this.#message?.usage;
    return isFields(usage) ? usageOf({ content: [], stop_reason: null, usage }) : undefined;
  }

  /** Events and deltas of unknown types are passed over. */
  add(event: unknown): void {
    if (!isFields(event)) throw malformed('an event is not an object');
    switch (event.type) {
      case 'message_start':
        this.#begin(event.message);
        break;
      case 'content_block_start':
        this.#open(event.index, event.content_block);
        break;
      case 'content_block_delta':
        this.#extend(event.index, event.delta);
        break;
      case 'content_block_stop':
        if (!this.#unfinished.delete(event.index)) throw malformed('a block ends that is not open');
        break;
      case 'message_delta':
        this.#conclude(event);
        break;
      case 'message_stop':
        if (!this.hasBegun) throw malformed('it ends before it begins');
        this.#isComplete = true;
    }
  }

  /** The message; call it when complete. */
  finish(): AssistantMessage {
    const { role = 'assistant', stop_reason: stopReason = null } = this.#message ?? {};
    if (role !== 'assistant') throw malformed('it is not a message of the model');
    if (stopReason !== null && typeof stopReason !== 'string')
      throw malformed('the stop reason is not a text');
    if (this.#unfinished.size > 0 && !CUT_SHORT.includes(stopReason)) throw malformed('a block has no end');
    this.#blocks.forEach((block, index) => {
      const json = this.#inputs.get(index) ?? '';
      if (json !== '') block.input = parseInput(json, CUT_SHORT.includes(stopReason));
      else if (block.type === 'tool_use' && !('input' in block)) block.input = {};
      if (block.type === 'text' && typeof block.text !== 'string')
        throw malformed('a text block has no text');
    });
    const message = { ...this.#message, content: this.#blocks, stop_reason: stopReason };
    const obstacle = obstacleToJson(message);
    if (obstacle !== undefined) throw malformed(obstacle);
    return message;
  }

  #begin(message: unknown): void {
    if (this.hasBegun) throw malformed('it begins twice');
    if (!isFields(message) || !Array.isArray(message.content)) throw malformed('it is not a message');
    this.#message = message;
    // These have come whole.
    for (const block of message.content) this.#place(block);
  }

  #open(index: unknown, block: unknown): void {
    if (this.#isConcluded) throw malformed('a block begins behind the stop reason');
    if (!this.hasBegun || index !== this.#blocks.length) throw malformed('a block is out of order');
    this.#place(block);
    this.#unfinished.add(index);
  }

  #place(block: unknown): void {
    if (!isFields(block) || typeof block.type !== 'string') throw malformed('a block has no type');
    this.#blocks.push({ ...block, type: block.type });
  }

  #extend(index: unknown, delta: unknown): void {
    const block = typeof index === 'number' ? this.#blocks[index] : undefined;
    if (block === undefined || !isFields(delta)) throw malformed('a delta belongs to no block');
    if (this.#isConcluded || !this.#unfinished.has(index)) throw malformed('a block grows behind its end');
    if (KNOWN_DELTAS.has(delta.type) && DELTAS_OF.get(block.type)?.includes(String(delta.type)) === false)
      throw malformed('a delta is of another kind than its block');
    switch (delta.type) {
      case 'text_delta':
        append(block, 'text', delta.text);
        this.#onText(String(delta.text));
        break;
      case 'thinking_delta':
        append(block, 'thinking', delta.thinking);
        break;
      case 'signature_delta':
        block.signature = delta.signature;
        break;
      case 'citations_delta':
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
        break;
      case 'input_json_delta':
        if (typeof delta.partial_json !== 'string') throw malformed('a piece of an input is not a text');
        this.#inputs.set(Number(index), (this.#inputs.get(Number(index)) ?? '') + delta.partial_json);
        break;
      case 'compaction_delta': {
        // The one delta that brings all of a block at once.
        const { type: _, ...whole } = delta;
        Object.assign(block, whole);
      }
    }
  }

  /**
   * The figures are running totals: a later one replaces, and null says nothing. What stands beside them is the message's.
   * The stop reason is said once: what contradicts it leaves open whether the calls were meant.
   */
  #conclude({ type: _, delta, usage, ...beside }: Fields): void {
    if (this.#message === undefined) throw malformed('it ends before it begins');
    const stopReason = this.#message.stop_reason ?? null;
    const saidNow = (isFields(delta) ? delta.stop_reason : null) ?? null;
    if (stopReason !== null && saidNow !== null && saidNow !== stopReason)
      throw malformed('it names two stop reasons');
    if (saidNow !== null) this.#isConcluded = true;
    const known = this.#message.usage;
    const news = said(usage);
    this.#message = {
      ...this.#message,
      ...said(beside),
      ...(isFields(delta) ? delta : {}),
      stop_reason: saidNow ?? stopReason,
      ...(Object.keys(news).length > 0 && { usage: { ...(isFields(known) ? known : {}), ...news } }),
    };
  }
}

const said = (fields: unknown): Fields =>
  Object.fromEntries(Object.entries(isFields(fields) ? fields : {}).filter(([, value]) => value !== null));

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformed = (what: string): ModelFailure =>
  new ModelFailure(`The reply is malformed: ${what}`, { kind: 'malformed', retryable: true });

function append(block: Fields, field: 'text' | 'thinking', piece: unknown): void {
  if (typeof piece !== 'string') throw malformed(`a piece of ${field} is not a text`);
  block[field] = (typeof block[field] === 'string' ? block[field] : '') + piece;
}

function parseInput(json: string, isCutShort: boolean): unknown {
  try {
    return JSON.parse(json);
  } catch {
    if (isCutShort) return {};
    throw malformed('the input of a call is not JSON');
  }
}
