/** `pawl tokens`: what the first request of a task has in it, counted by the service. */
import { exitCodeOf } from '../../../machines/status.ts';
import { type ModelClient, ModelFailure, type ModelRequest } from '../../model/client.ts';
import { toolRegistry } from '../../tools/registry.ts';
import { counted } from '../format.ts';
import { printableLine } from '../printable.ts';
import type { RunFlags } from '../run-flags.ts';
import { resolveSettings } from '../settings.ts';
import { tellError } from '../tell.ts';
import { UsageError } from '../usage-error.ts';

export interface TokensFlags
  extends Pick<
    RunFlags,
    | 'cd'
    | 'agent'
    | 'systemPrompt'
    | 'appendSystemPrompt'
    | 'tools'
    | 'model'
    | 'effort'
    | 'betas'
    | 'header'
    | 'verbose'
  > {
  readonly json?: true;
}

/** A request has a message in any case. */
const NO_TASK = '.';

/** @returns 25 where the service does not answer. @throws UsageError where nobody could be asked */
export async function tokensCommand(words: readonly string[], flags: TokensFlags): Promise<number> {
  const { env, stdin } = process;
  const task = words.length === 0 ? [NO_TASK] : words;
  const given: RunFlags = { ...flags, summary: true, outputFormat: 'text' };
  const { options } = await resolveSettings(task, given, { folder: process.cwd(), env, input: stdin }).catch(
    (error: unknown) => {
      if (error instanceof UsageError && error.message.startsWith('No key'))
        throw new UsageError(
          'No key for the model. Tokens are counted by the service: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN.',
        );
      throw error;
    },
  );
  const { client, model, system = '', tools = [] } = options;
  const whole: ModelRequest = {
    model,
    system,
    messages: [{ role: 'user', content: [{ type: 'text', text: options.task }] }],
    tools: toolRegistry(tools).specs,
    toolsOff: false,
    maxOutputTokens: 1,
    effort: options.effort ?? null,
  };
  try {
    const counts = await countsOf(client, whole);
    process.stdout.write(
      flags.json ? `${JSON.stringify(recordOf(model, whole, counts), null, 2)}\n` : textOf(whole, counts),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    tellError(`The tokens could not be counted: ${printableLine(error.message)}`);
    return exitCodeOf('model_error');
  }
}

interface Counts {
  readonly task: number;
  readonly withSystem: number;
  readonly withTools: number;
}

async function countsOf(client: ModelClient, whole: ModelRequest): Promise<Counts> {
  const { signal } = new AbortController();
  const count = async (request: ModelRequest) => (await client.countTokens?.(request, { signal })) ?? 0;
  const [task, withSystem, withTools] = await Promise.all([
    count({ ...whole, system: '', tools: [] }),
    count({ ...whole, tools: [] }),
    count(whole),
  ]);
  return { task, withSystem, withTools };
}

function textOf({ tools, system }: ModelRequest, { task, withSystem, withTools }: Counts): string {
  const rows: [string, number][] = [
    ['task', task],
    ...(system.trim() === '' ? [] : ([['system prompt', withSystem - task]] as [string, number][])),
    ['prompt without tools', withSystem],
    [counted(tools.length, 'tool'), withTools - withSystem],
    ['first request', withTools],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const digits = Math.max(...rows.map(([, tokens]) => String(tokens).length));
  return rows.map(([name, tokens]) => `${name.padEnd(width)}  ${String(tokens).padStart(digits)}\n`).join('');
}

const recordOf = (model: string, { tools }: ModelRequest, { task, withSystem, withTools }: Counts) => ({
  model,
  task,
  system: withSystem - task,
  prompt_without_tools: withSystem,
  tools: withTools - withSystem,
  tool_names: tools.map(({ name }) => name),
  first_request: withTools,
});
