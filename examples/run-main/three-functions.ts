/**
 * The loop by hand, in three functions of which each can be replaced without the others: `ask` sends one request, `execute` runs one
 * call, `loop` keeps the messages and decides what comes next. docs/tutorial.md tells what it lacks, and where pawl has it.
 */
import { execFile } from 'node:child_process';
import type { AssistantMessage, ContentBlock, Message, ModelClient } from '../../src/index.ts';

export const RUN_MAIN = {
  name: 'run_main',
  description: 'Runs main.py of the workspace and returns its exit code and what it printed.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
};

export type Ask = (messages: readonly Message[]) => Promise<AssistantMessage>;
export type Execute = (call: ContentBlock) => Promise<ContentBlock>;

/** One request, one reply. It runs nothing and asks nobody a second time. */
export const askWith =
  (client: ModelClient, model: string): Ask =>
  (messages) =>
    client.ask(
      {
        model,
        system: 'Report what main.py does, errors included. Change no file.',
        messages,
        tools: [RUN_MAIN],
        toolsOff: false,
        maxOutputTokens: 1024,
        effort: null,
      },
      { signal: AbortSignal.timeout(20_000) },
    );

/** One call, one result, whatever happens: an error is a result, too. */
export const executeIn =
  (workspace: string, timeoutMs = 3_000): Execute =>
  ({ id, name, input }) =>
    new Promise((resolve) => {
      const answer = (content: string, is_error: boolean) =>
        resolve({ type: 'tool_result', tool_use_id: id, content, is_error });
      if (name !== RUN_MAIN.name || Object.keys(input as object).length > 0)
        return answer('There is no such tool, or it does not take this input.', true);
      const limits = { cwd: workspace, timeout: timeoutMs };
      execFile('python3', ['main.py'], limits, (error, stdout, stderr) => {
        if (error?.killed) return answer(`timed out after ${timeoutMs / 1_000} s`, true);
        if (typeof error?.code === 'string') return answer(`could not be started: ${error.code}`, true);
        const printed = (stdout + stderr).trim() || '(no output)';
        answer(`exit_code=${error?.code ?? 0}\n${printed.slice(0, 2_000)}`, error !== null);
      });
    });

export interface Ended {
  readonly status: 'answered' | 'max_turns' | 'model_stopped' | 'protocol_error' | 'model_error';
  readonly text: string;
  readonly messages: readonly Message[];
}

/** Keep the reply, look at it, run its calls, keep the results, ask again. */
export async function loop(task: string, ask: Ask, execute: Execute, maxTurns = 4): Promise<Ended> {
  const messages: Message[] = [{ role: 'user', content: task }];
  const end = (status: Ended['status'], text: string): Ended => ({ status, text, messages });
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const reply = await ask(messages).catch((error: Error) => error);
    if (reply instanceof Error) return end('model_error', reply.message);
    const { content, stop_reason } = reply;
    messages.push({ role: 'assistant', content });
    const calls = content.filter(({ type }) => type === 'tool_use');
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    if (stop_reason === 'end_turn' && calls.length === 0 && text !== '') return end('answered', text);
    if (stop_reason !== 'end_turn' && stop_reason !== 'tool_use') return end('model_stopped', text);
    const ids = new Set(calls.map(({ id }) => id));
    if (stop_reason === 'end_turn' || calls.length === 0 || ids.size < calls.length)
      return end('protocol_error', text);
    const results: ContentBlock[] = [];
    for (const call of calls) results.push(await execute(call));
    messages.push({ role: 'user', content: results });
  }
  return end('max_turns', '');
}
