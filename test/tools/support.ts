import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FileVersion, textOf } from '../../machines/protocol.ts';
import { MOST_RESULT_BYTES } from '../../machines/window.ts';
import { localSandbox } from '../../src/sandbox/process.ts';
import type { ProcessRequest, ProcessResult, Sandbox } from '../../src/sandbox/sandbox.ts';
import { checkInput } from '../../src/tools/check-input.ts';
import { type Tool, type ToolContext, ToolFailure } from '../../src/tools/tool.ts';

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly file?: FileVersion;
}

/** A workspace `W` in a folder of its own, so that there is an outside to it. Removed after the test. */
export async function workspace(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'pawl-test-')));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  const root = join(outside, 'W');
  await mkdir(root);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return { root, outside, path: (name: string) => join(root, name), call: caller(root) };
}

/** Calls a tool as a run does: input proved first, an expected failure as an error. Anything else thrown is a defect. */
const caller =
  (root: string) =>
  async (tool: Tool, input: unknown, options: Partial<ToolContext> = {}): Promise<Answer> => {
    const checked = checkInput(tool, input);
    if (!checked.ok) return { text: checked.reason, isError: true };
    const context: ToolContext = {
      workspace: root,
      signal: new AbortController().signal,
      sandbox: localSandbox(),
      finishedCalls: () => [],
      keepFile: async () => {},
      maxResultBytes: MOST_RESULT_BYTES,
      ...options,
    };
    try {
      const output = await tool.run(checked.input, context);
      if (typeof output === 'string') return { text: output, isError: false };
      const { content, isError, file } = output;
      const answer = { text: typeof content === 'string' ? content : textOf(content), isError };
      // What a call notes of a file is for those that ask for it.
      return file && options.finishedCalls ? { ...answer, file } : answer;
    } catch (error) {
      if (error instanceof ToolFailure) return { text: error.message, isError: true };
      throw error;
    }
  };

/** A sandbox that runs nothing and answers with what is given; it keeps the requests. */
export function fixedSandbox(end: ProcessResult['end'], stdout = '', stderr = '') {
  const requests: ProcessRequest[] = [];
  const captured = (text: string) => ({ text, omitted: 0, bytes: Buffer.byteLength(text) });
  const sandbox: Sandbox = {
    async run(request) {
      requests.push(request);
      return { end, stdout: captured(stdout), stderr: captured(stderr) };
    },
  };
  return { sandbox, requests };
}
