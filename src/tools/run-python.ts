import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { figure } from './figure.ts';
import { type ProcessLimits, seconds } from './process-limits.ts';
import { processOutput } from './process-output.ts';
import { runPython } from './python.ts';
import { defineTool } from './tool.ts';

/**
 * Runs the file named by the last argument as if its text had been given to `-c`: modules are imported from the working
 * folder, and nothing of this line is visible to the code. `-c` itself takes no more than 128 KB.
 */
const LAUNCH =
  'exec(compile(open(__import__("sys").argv[-1], "rb").read(), __import__("sys").argv.pop(), "exec"))';

export function runPythonTool({ timeoutMs = 30_000, maxCharacters = 50_000 }: Partial<ProcessLimits> = {}) {
  return defineTool({
    name: 'run_python',
    description: `Runs Python code in a new interpreter, with the workspace as its working folder, and returns its exit code, standard output and standard error. Only what the code prints is returned, so print what you want to know. Standard input is closed. Time limit ${seconds(timeoutMs)}; of longer output the first and last parts of ${figure(maxCharacters)} characters are kept.`,
    input: z.strictObject({
      code: z
        .string()
        .min(1)
        .describe('A complete Python 3 program. Modules of the workspace can be imported.'),
    }),
    effect: 'effectful',
    runsCommands: true,
    async run({ code }, context) {
      const folder = await mkdtemp(join(tmpdir(), 'pawl-python-'));
      try {
        const file = join(folder, 'code.py');
        await writeFile(file, code);
        const limits = { timeoutMs, maxCharacters, visible: [folder] };
        const result = await runPython(['-c', LAUNCH, file], context, limits);
        return processOutput(result, timeoutMs);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  });
}
