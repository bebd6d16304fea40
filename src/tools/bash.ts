import * as z from 'zod';
import { figure } from './figure.ts';
import { type ProcessLimits, seconds } from './process-limits.ts';
import { processOutput } from './process-output.ts';
import { defineTool } from './tool.ts';

export function bashTool({ timeoutMs = 120_000, maxCharacters = 50_000 }: Partial<ProcessLimits> = {}) {
  return defineTool({
    name: 'bash',
    description: `Runs a command with \`bash -c\` in the workspace folder and returns its exit code, standard output and standard error. Each call is a new shell: folder changes and variables are not kept. Standard input is closed, so nothing can ask questions. Nothing goes on in the background: what the command leaves running is looked for and killed when it ends. Time limit ${seconds(timeoutMs)}; of longer output the first and last parts of ${figure(maxCharacters)} characters are kept.`,
    input: z.strictObject({
      command: z
        .string()
        .min(1)
        .describe('The command line, as it would be typed into bash. May have several lines.'),
    }),
    effect: 'effectful',
    runsCommands: true,
    async run({ command }, { workspace, sandbox, signal }) {
      const args = ['-c', command];
      const result = await sandbox.run({
        command: 'bash',
        args,
        cwd: workspace,
        timeoutMs,
        maxCharacters,
        signal,
      });
      return processOutput(result, timeoutMs);
    },
  });
}
