import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { localSandbox } from '../../src/sandbox/process.ts';
import type { ProcessRequest, ProcessResult } from '../../src/sandbox/sandbox.ts';
import { programFile } from '../helpers/programs.ts';

/** A folder of its own for the test, removed afterwards. Real path. */
export async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'pawl-test-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const sandbox = localSandbox();

export const runRequest = (request: Partial<ProcessRequest>): Promise<ProcessResult> =>
  sandbox.run({
    command: 'bash',
    args: [],
    cwd: tmpdir(),
    timeoutMs: 10_000,
    maxCharacters: 10_000,
    signal: new AbortController().signal,
    ...request,
  });

export const bash = (command: string, request: Partial<ProcessRequest> = {}): Promise<ProcessResult> =>
  runRequest({ args: ['-c', command], ...request });

/** Whether a process runs; one that only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Without /proc the signal alone has told that it is there.
    return code === 'ENOENT' && process.platform !== 'linux';
  }
}

/** A killed process needs a moment to be gone. */
export async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 400 && isAlive(pid); tries += 1) await sleep(25);
  return !isAlive(pid);
}

export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Runs a program of test/sandbox/programs in a Node process of its own. */
export function runProgram(name: string, ...args: readonly string[]): Promise<ProcessResult> {
  return runRequest({
    command: process.execPath,
    args: [programFile(`sandbox/${name}`), ...args],
    timeoutMs: 60_000,
  });
}
