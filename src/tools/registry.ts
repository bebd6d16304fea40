import type { Effect } from '../../machines/protocol.ts';
import { OptionsError } from '../checks/options-error.ts';
import { checkShape, MILLISECONDS, type Shapes } from '../checks/shape.ts';
import { bashTool } from './bash.ts';
import { toolProblem } from './check-tool.ts';
import { editFileTool } from './edit-file.ts';
import { inputSchemaOf, isObjectSchema, type JsonSchema } from './input-schema.ts';
import { listFilesTool } from './list-files.ts';
import { readFileTool } from './read-file.ts';
import { runMainTool } from './run-main.ts';
import { runPythonTool } from './run-python.ts';
import { searchFilesTool } from './search-files.ts';
import type { Tool } from './tool.ts';
import { writeFileTool } from './write-file.ts';

export interface BuiltinOptions {
  /** Time limit of bash and run_python. */
  readonly processTimeoutMs?: number;
}

const OPTIONS = { processTimeoutMs: MILLISECONDS } satisfies Shapes<BuiltinOptions>;

/** All built-in tools, always in the same order. */
export function builtinTools(options: BuiltinOptions = {}): Tool[] {
  checkShape('builtinTools()', options, OPTIONS);
  const limits = options.processTimeoutMs === undefined ? {} : { timeoutMs: options.processTimeoutMs };
  return [
    readFileTool,
    listFilesTool,
    searchFilesTool(),
    writeFileTool,
    editFileTool,
    runPythonTool(limits),
    runMainTool(),
    bashTool(limits),
  ];
}

export interface ToolRegistry {
  readonly names: readonly string[];
  /** By exact name. */
  get(name: string): Tool | undefined;
  /** What the model is told, in order. Computed when first asked for: a start that sends nothing does not pay for it. */
  readonly specs: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
    readonly effect: Effect;
  }[];
}

/** What the service accepts as a name. */
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** @throws OptionsError that names the tool, for what has not the form of one, a name that is taken or not allowed, or a schema that is no object schema */
export function toolRegistry(tools: readonly Tool[]): ToolRegistry {
  // A Map, and no object: nobody finds `constructor` in it.
  const byName = new Map<string, Tool>();
  for (const [index, tool] of tools.entries()) {
    const problem = toolProblem(tool);
    if (problem !== undefined)
      throw new OptionsError(`The tools are not valid: tool ${index + 1} ${problem}.`);
    if (!NAME.test(tool.name))
      throw new OptionsError(
        `The tool name ${JSON.stringify(tool.name)} must be 1 to 128 letters, digits, "_" and "-".`,
      );
    if (byName.has(tool.name)) throw new OptionsError(`There are two tools named ${tool.name}.`);
    if (!isObjectSchema(tool))
      throw new OptionsError(`The input schema of the tool ${tool.name} must be an object schema.`);
    byName.set(tool.name, tool);
  }
  let specs: ToolRegistry['specs'] | undefined;
  return {
    names: [...byName.keys()],
    get: (name) => byName.get(name),
    get specs() {
      specs ??= tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        inputSchema: inputSchemaOf(tool),
        effect: tool.effect,
      }));
      return specs;
    },
  };
}
