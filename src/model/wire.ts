import type { Message } from '../../machines/protocol.ts';
import type { ModelRequest } from './client.ts';

/**
 * The body of a request, as JSON in bytes. Nothing is in it that pawl does not need: no sampling parameters, which the service
 * refuses. `tools` and `system` are the same in each request of a run, the summary included: signed thinking is bound to
 * them. Each message is written out once and kept, since a run sends it again with every turn.
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
  const pieces = request.messages.flatMap((message) => [COMMA, bytesOf(message)]);
  return Buffer.concat([OPENING, ...pieces.slice(1), Buffer.from(`],${rest.slice(1)}`)]);
}

const OPENING = Buffer.from('{"messages":[');
const COMMA = Buffer.from(',');

const written = new WeakMap<Message, Buffer>();

/** Messages are never changed once they are made: what has been added to one is a new message. */
function bytesOf(message: Message): Buffer {
  const known = written.get(message);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(message));
  written.set(message, bytes);
  return bytes;
}
