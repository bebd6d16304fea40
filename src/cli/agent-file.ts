/** An agent as a Markdown file: settings in YAML front matter, the system prompt as the body. */
import path from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import type { Agent } from './agent.ts';
import { agentSchema, problemOf } from './agent-schema.ts';
import { cannotRead, readRegularFile } from './read-file.ts';
import { UsageError } from './usage-error.ts';

const LARGEST_BYTES = 1_000_000;

/** @throws UsageError naming the file, the place in it and what is allowed there */
export async function readAgentFile(file: string): Promise<Agent> {
  const content = await readRegularFile(file, LARGEST_BYTES).catch((error) => {
    throw cannotRead('agent file', file, error);
  });
  return parseAgent(file, content);
}

export function parseAgent(file: string, content: string): Agent {
  const matter = /^\ufeff?---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n|$)(.*)$/s.exec(content);
  if (matter === null)
    throw invalid(file, 'it must begin with front matter: settings between two lines "---"');
  const [, yaml = '', body = ''] = matter;
  const checked = agentSchema.safeParse(parseYaml(file, yaml) ?? {});
  if (!checked.success) throw invalid(file, problemOf(checked.error));
  const { tool_module } = checked.data;
  return {
    file,
    settings: checked.data,
    system: body.trim() === '' ? undefined : body.trim(),
    toolModule: tool_module && path.resolve(path.dirname(file), tool_module),
  };
}

/** The line feed in front makes line numbers those of the file. Warnings would go to the runtime's own output. */
function parseYaml(file: string, yaml: string): unknown {
  try {
    return parse(`\n${yaml}`, { logLevel: 'error' });
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    const place = error instanceof YAMLParseError ? line.replace(/:$/, '') : line;
    throw invalid(file, `the front matter is no YAML: ${place}`);
  }
}

const invalid = (file: string, problem: string): UsageError =>
  new UsageError(`The agent file ${file} is not valid: ${problem}.`);
