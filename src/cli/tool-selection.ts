import { closeNames } from '../checks/close-names.ts';
import { toolRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { quoted } from './format.ts';
import { UsageError } from './usage-error.ts';

/** The built-in tools and those of a module as one list. @throws UsageError if they cannot be offered together */
export function joinTools(
  builtin: readonly Tool[],
  custom: readonly Tool[],
  module: string,
): readonly Tool[] {
  const tools = [...builtin, ...custom];
  try {
    // Asked for here, so that a schema which cannot be told to the model is found before anything starts.
    void toolRegistry(tools).specs;
    return tools;
  } catch (error) {
    throw new UsageError(`The tool module ${module} is not valid: ${(error as Error).message}`);
  }
}

/** Names as they are written behind --tools. @throws UsageError for an empty one */
export function toolNames(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new UsageError(`--tools needs names separated by commas, not ${quoted(list)}.`);
  return names;
}

/** @param origin where the names are from, such as "--tools". @throws UsageError for a name that no tool has */
export function checkToolNames(origin: string, names: readonly string[], tools: readonly Tool[]): void {
  const known = tools.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw noSuchTool(origin, unknown, known);
}

export function noSuchTool(origin: string, name: string, known: readonly string[]): UsageError {
  const [near] = closeNames(name, known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(
    `${origin}: there is no tool ${quoted(name)}.${meant} Known tools: ${known.join(', ')}.`,
  );
}
