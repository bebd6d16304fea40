/** Custom tools: a JavaScript module whose default export is a list of them. Its code runs with pawl's own rights. */
import { pathToFileURL } from 'node:url';
import { toolProblem } from '../tools/check-tool.ts';
import type { Tool } from '../tools/tool.ts';
import { checkRegularFile, reasonOf } from './read-file.ts';
import { UsageError } from './usage-error.ts';

const LARGEST_BYTES = 100_000_000;

/** @throws UsageError naming the module and what a tool in it lacks */
export async function loadToolModule(file: string): Promise<readonly Tool[]> {
  const tools = await importDefault(file);
  if (!Array.isArray(tools)) throw invalid(file, 'its default export must be a list of tools');
  for (const [index, tool] of tools.entries()) {
    const problem = toolProblem(tool);
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
    throw new UsageError(`The tool module ${file} cannot be loaded: ${line}${packageHint(line)}`);
  }
}

/** pawl is in no registry, so it is installed from where it lies. */
function packageHint(reason = ''): string {
  const [, name] = /^Cannot find package '([^']+)'/.exec(reason) ?? [];
  if (name === undefined) return '';
  const wanted = name === 'pawl' ? '/path/to/pawl' : name;
  return `. Packages are looked for from the folder of the module on: npm install ${wanted} there.`;
}

const invalid = (file: string, problem: string): UsageError =>
  new UsageError(`The tool module ${file} is not valid: ${problem}.`);
