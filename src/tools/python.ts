import type { ProcessRequest, ProcessResult } from '../sandbox/sandbox.ts';
import type { ToolContext } from './tool.ts';

/**
 * Runs the Python interpreter in the workspace: `python3`, or `python` where there is none of that name. Unbuffered,
 * so that a program that is stopped has shown what it printed until then.
 */
export async function runPython(
  args: readonly string[],
  { workspace, sandbox, signal }: ToolContext,
  limits: Pick<ProcessRequest, 'timeoutMs' | 'maxCharacters' | 'visible'>,
): Promise<ProcessResult> {
  const request = { args: ['-u', ...args], cwd: workspace, signal, ...limits };
  const result = await sandbox.run({ command: 'python3', ...request });
  return result.end.kind === 'not started' ? sandbox.run({ command: 'python', ...request }) : result;
}
