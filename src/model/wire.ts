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
    messages: request.messages,
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && request.toolsOff && { tool_choice: { type: 'none' } }),
    ...(request.effort !== null && { output_config: { effort: request.effort } }),
  };
}
