import type { ContentBlock, Message } from '../../machines/protocol.ts';
import type { ModelRequest } from './client.ts';

/**
 * The body of a request. Nothing is in it that pawl does not need: no sampling parameters, which the service refuses.
 * `tools` and `system` are the same in each request of a run, the summary included: signed thinking is bound to them.
 */
export function requestBody(request: ModelRequest): Record<string, unknown> {
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  return {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    ...(request.system.trim() !== '' && { system: request.system }),
    messages: sendable(request.messages),
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && request.toolsOff && { tool_choice: { type: 'none' } }),
    ...(request.effort !== null && { output_config: { effort: request.effort } }),
  };
}

/** The messages without the texts that the service refuses for being empty, and without messages that hold no more. */
export function sendable(messages: readonly Message[]): Message[] {
  return messages.flatMap((message) => {
    const { role, content } = message;
    if (typeof content === 'string') return content.trim() === '' ? [] : [message];
    const kept = role === 'assistant' ? sendableReply(content) : withoutBlank(content);
    return kept.length === 0 ? [] : [{ role, content: kept }];
  });
}

/**
 * White space between other blocks of a reply is accepted, and thinking that comes after it is signed over it: it
 * stays. Only an empty text, or white space that is all there is, has to go.
 */
function sendableReply(content: readonly ContentBlock[]): readonly ContentBlock[] {
  return content.every(isBlank) ? [] : content.filter((block) => !(isBlank(block) && block.text === ''));
}

function withoutBlank(content: readonly ContentBlock[]): readonly ContentBlock[] {
  return content
    .filter((block) => !isBlank(block))
    .map((block) =>
      block.type === 'tool_result' && Array.isArray(block.content)
        ? { ...block, content: withoutBlank(block.content) }
        : block,
    );
}

const isBlank = (block: ContentBlock): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text.trim() === '';
