import type { Message } from '../../machines/protocol.ts';
import type { ModelRequest } from './client.ts';

/**
 * The body of a request, as JSON in bytes. Nothing is in it that pawl does not need: no sampling parameters, which the service
 * refuses. `tools` and `system` are the same in each request of a run, the summary included: signed thinking is bound to
 * them. What was sent is kept as bytes, since a run sends it again with every turn.
 */
export function requestBytes(request: ModelRequest): Buffer {
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  const rest = JSON.stringify({
    model: request.model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(request.system.trim() !== '' && { system: request.system }),
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && request.toolsOff && { tool_choice: { type: 'none' } }),
    ...(request.effort !== null && { output_config: { effort: request.effort } }),
  });
  return Buffer.concat([OPENING, bytesOf(request.messages), Buffer.from(`],${rest.slice(1)}`)]);
}

const OPENING = Buffer.from('{"messages":[');

interface Written {
  readonly messages: readonly Message[];
  readonly bytes: Buffer;
}

/** What each conversation came to the last time, under its first message. */
const written = new WeakMap<Message, Written>();

/** Messages are never changed once they are made: what has been added to one is a new message. */
function bytesOf(messages: readonly Message[]): Buffer {
  const [first] = messages;
  if (first === undefined) return Buffer.alloc(0);
  const known = written.get(first);
  const begun = known !== undefined && isPrefix(known.messages, messages) ? known : undefined;
  const added = messages.slice(begun?.messages.length ?? 0).map((message) => JSON.stringify(message));
  const tail = Buffer.from(begun && added.length > 0 ? `,${added.join(',')}` : added.join(','));
  const bytes = begun ? Buffer.concat([begun.bytes, tail]) : tail;
  written.set(first, { messages: [...messages], bytes });
  return bytes;
}

const isPrefix = (some: readonly Message[], all: readonly Message[]): boolean =>
  some.length <= all.length && some.every((message, at) => message === all[at]);
