import { CACHE_MARK, markedPlaces, type Place } from './cache-marks.ts';
import type { ModelRequest } from './client.ts';
import { type ContextEdit, contextManagement } from './context-edits.ts';
import { type Written, written } from './written.ts';

export interface WireOptions {
  /** Whether the service is asked to keep what it has read for the next request. Default: true. */
  readonly cache?: boolean;
  /** Whether thinking is shown. Default: as the model does of its own. */
  readonly thinkingDisplay?: 'summarized' | 'omitted';
  /** How the service may shorten a long history for the model. Default: not at all. */
  readonly contextEdits?: readonly ContextEdit[];
}

/**
 * The body of a request, as JSON in bytes. Nothing is in it that pawl does not need: no sampling parameters, which the service
 * refuses. `tools` and `system` are the same in each request of a run, the summary included: signed thinking is bound to
 * them; it is not bound to the marks of the cache.
 */
export function requestBytes(request: ModelRequest, options: WireOptions = {}): Buffer {
  return bodyOf(request, options, { max_tokens: request.maxOutputTokens, stream: true });
}

/** The body of the question how many tokens a request has. */
export const countBytes = (request: ModelRequest, options: WireOptions = {}): Buffer =>
  bodyOf(request, options, {});

function bodyOf(request: ModelRequest, options: WireOptions, reply: object): Buffer {
  const { cache = true, thinkingDisplay, contextEdits = [] } = options;
  const rest = JSON.stringify({
    model: request.model,
    ...reply,
    ...headOf(request, cache),
    ...(request.tools.length > 0 && request.toolsOff && { tool_choice: { type: 'none' } }),
    ...(thinkingDisplay !== undefined && { thinking: { type: 'adaptive', display: thinkingDisplay } }),
    ...(request.effort !== null && { output_config: { effort: request.effort } }),
    ...contextManagement(request.model, contextEdits),
  });
  const conversation = written(request.messages);
  const marks = cache ? markedPlaces(request.messages).map((place) => offsetOf(place, conversation)) : [];
  return Buffer.concat([OPENING, ...marked(conversation.bytes, marks), Buffer.from(`],${rest.slice(1)}`)]);
}

const OPENING = Buffer.from('{"messages":[');

/** The mark on the system prompt covers the tools as well, which come before it. */
function headOf(request: ModelRequest, cache: boolean): object {
  const hasSystem = request.system.trim() !== '';
  const tools = request.tools.map(({ name, description, inputSchema }, index) => ({
    name,
    description,
    input_schema: inputSchema,
    ...(cache && !hasSystem && index === request.tools.length - 1 && { cache_control: CACHE_MARK }),
  }));
  const text = request.system;
  return {
    ...(hasSystem && { system: cache ? [{ type: 'text', text, cache_control: CACHE_MARK }] : text }),
    ...(tools.length > 0 && { tools }),
  };
}

const MARK = Buffer.from(`,"cache_control":${JSON.stringify(CACHE_MARK)}`);

/** Marks are put between the bytes that are kept: they move with every request. */
function marked(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const edges = [0, ...offsets, bytes.length];
  return edges.slice(1).flatMap((edge, at) => [...(at > 0 ? [MARK] : []), bytes.subarray(edges[at], edge)]);
}

/** Where the brace stands that closes the block. Behind it come the blocks after it, and what closes the message. */
function offsetOf({ message, block }: Place, { messages, ends }: Written): number {
  const content = messages[message]?.content ?? '';
  const after = typeof content === 'string' ? [] : content.slice(block + 1);
  const bytesAfter = after.reduce((sum, each) => sum + 1 + Buffer.byteLength(JSON.stringify(each)), 0);
  return (ends[message] ?? 0) - bytesAfter - '}]}'.length;
}
