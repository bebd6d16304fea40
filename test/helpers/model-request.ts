import type { Message } from '../../machines/protocol.ts';
import type { ModelRequest } from '../../src/model/client.ts';

/** A request with two tools and one question, or what the test wants instead. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    system: 'Answer briefly.',
    messages: [userSays('What is in a.txt?')],
    tools: [
      { name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } },
      { name: 'bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: {} } },
    ],
    toolsOff: false,
    maxOutputTokens: 1024,
    effort: null,
    ...changes,
  };
}

export const userSays = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** The answer to a call. */
export const resultOf = (callId: string, content: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: callId, content }],
});

/** A signal that nobody aborts. */
export const noAbort = (): AbortSignal => new AbortController().signal;
