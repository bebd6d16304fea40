/** Custom tools: a JavaScript module whose default export is a list of them. Its code runs with pawl's own rights. */
import { pathToFileURL } from 'node:url';
import type { Tool } from '../tools/tool.ts';
import { checkRegularFile, reasonOf } from './read-file.ts';
import { UsageError } from './usage-error.ts';

const EFFECTS: readonly unknown[] = ['read', 'idempotent', 'effectful'];

const LARGEST_BYTES = 100_000_000;

/** @throws UsageError naming the module and what a tool in it lacks */
export async function loadToolModule(file: string): Promise<readonly Tool[]> {
  const tools = await importDefault(file);
  if (!Array.isArray(tools)) throw invalid(file, 'its default export must be a list of tools');
  for (const [index, tool] of tools.entries()) {
    const problem = problemOf(tool);
    if (problem !== undefined) throw invalid(file, `tool ${index + 1} ${problem}`);
  }
  return tools;
}

async function importDefault(file: string): Promise<unknown> {
  try {
    await checkRegularFile(file, LARGEST_BYTES).catch((error) => {
      throw new Error(reasonOf(error));
    });
    const module: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    return module.default;
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageError(`The tool module ${file} cannot be loaded: ${line}`);
  }
}

/** What keeps the value from having the form of a tool; the registry judges the rest. The schema is looked at by its parts: it may come from another copy of Zod. */
function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'is no object';
  const { name, description, input, effect, run, precondition } = value as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return 'needs a "name"';
  if (typeof description !== 'string' || description.trim() === '')
    return `(${name}) needs a "description" for the model`;
  if (typeof input !== 'object' || input === null || !('_zod' in input))
    return `(${name}) needs an "input" that is a Zod 4 object schema`;
  if (!EFFECTS.includes(effect)) return `(${name}) needs an "effect": read, idempotent or effectful`;
  if (typeof run !== 'function') return `(${name}) needs a function "run"`;
  if (precondition !== undefined && typeof precondition !== 'function')
    return `(${name}) has a "precondition" that is no function`;
  return undefined;
}

const invalid = (file: string, problem: string): UsageError =>
  new UsageError(`The tool module ${file} is not valid: ${problem}.`);
