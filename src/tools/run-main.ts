import * as z from 'zod';
import { figure } from './figure.ts';
import { type ProcessLimits, seconds } from './process-limits.ts';
import { processOutput } from './process-output.ts';
import { runPython } from './python.ts';
import { defineTool } from './tool.ts';

/** The narrowest process tool: one fixed file, no choice of arguments. */
export function runMainTool({ timeoutMs = 3_000, maxCharacters = 2_000 }: Partial<ProcessLimits> = {}) {
  return defineTool({
    name: 'run_main',
    description: `Runs the file main.py of the workspace folder with Python, without arguments, and returns its exit code, standard output and standard error. Takes an empty object. Standard input is closed. Time limit ${seconds(timeoutMs)}; of longer output the first and last parts of ${figure(maxCharacters)} characters are kept.`,
    input: z.strictObject({}),
    effect: 'effectful',
    runsCommands: true,
    async run(_input, context) {
      const result = await runPython(['main.py'], context, { timeoutMs, maxCharacters });
      return processOutput(result, timeoutMs);
    },
  });
}
