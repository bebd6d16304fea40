import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { killGroup } from '../../src/sandbox/groups.ts';
import { bash, elapsed, folder, isGone, runProgram } from './support.ts';

const pidIn = (file: string) => Number(readFileSync(file, 'utf8'));

async function appears(file: string): Promise<void> {
  for (let tries = 0; tries < 100 && !(existsSync(file) && statSync(file).size > 0); tries += 1)
    await sleep(20);
}

describe('when a process ends, nothing of it is left', () => {
  it('returns at once although a background child holds the output, and kills the child', async () => {
    const cwd = await folder();
    let text = '';
    const duration = await elapsed(async () => {
      text = (await bash('sleep 60 & echo $! > pid; echo done', { cwd })).stdout.text;
    });
    expect(text).toBe('done\n');
    expect(duration).toBeLessThan(3_000);
    expect(await isGone(pidIn(join(cwd, 'pid')))).toBe(true);
  });

  it('keeps what a background child printed until the end', async () => {
    const { end, stdout } = await bash('(while :; do echo tick; sleep 0.1; done) & sleep 0.5; echo done');
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(stdout.text).toMatch(/^tick\n[\s\S]*done\n/);
  });

  it('at the deadline kills the whole tree and gives the output so far', async () => {
    const cwd = await folder();
    const command =
      'echo begun; for i in 1 2 3; do (while :; do sleep 0.05; echo x >> beat; done) & done; sleep 600';
    const { end, stdout } = await bash(command, { cwd, timeoutMs: 600 });
    expect(end).toEqual({ kind: 'timed out' });
    expect(stdout.text).toBe('begun\n');
    await sleep(100);
    const size = statSync(join(cwd, 'beat')).size;
    await sleep(400);
    expect(statSync(join(cwd, 'beat')).size).toBe(size);
  });

  it('on an abort kills the whole tree within a second and gives the output so far', async () => {
    const cwd = await folder();
    const controller = new AbortController();
    const running = bash('echo begun; sleep 60 & echo $! > pid; wait', { cwd, signal: controller.signal });
    await appears(join(cwd, 'pid'));
    const duration = await elapsed(async () => {
      controller.abort();
      expect(await running).toMatchObject({ end: { kind: 'aborted' }, stdout: { text: 'begun\n' } });
    });
    expect(duration).toBeLessThan(1_000);
    expect(await isGone(pidIn(join(cwd, 'pid')))).toBe(true);
  });

  it('kills a tree that ignores every polite signal', async () => {
    const cwd = await folder();
    const command = 'trap "" TERM INT HUP; echo $$ > pid; while :; do sleep 0.1; done';
    expect((await bash(command, { cwd, timeoutMs: 400 })).end).toEqual({ kind: 'timed out' });
    expect(await isGone(pidIn(join(cwd, 'pid')))).toBe(true);
  });

  it.runIf(process.platform === 'linux').each([
    ['timeout', 'timeout 60 sh -c "echo \\$\\$ > pid; sleep 60" & '],
    ['a shell with job control', 'set -m; (echo $BASHPID > pid; sleep 60) & '],
  ])('finds the groups that are founded within the session: %s', async (_, start) => {
    const cwd = await folder();
    const result = await bash(`${start} while [ ! -s pid ]; do sleep 0.02; done; echo done`, { cwd });
    expect(result.stdout.text).toBe('done\n');
    expect(await isGone(pidIn(join(cwd, 'pid')))).toBe(true);
  });

  it('is not held up by a process that left for a session of its own', async () => {
    const cwd = await folder();
    const command =
      "setsid sh -c 'echo $$ > pid; sleep 30' & while [ ! -s pid ]; do sleep 0.02; done; echo done";
    let text = '';
    const duration = await elapsed(async () => {
      text = (await bash(command, { cwd })).stdout.text;
    });
    const escaped = pidIn(join(cwd, 'pid'));
    onTestFinished(() => killGroup(escaped));
    expect(text).toBe('done\n');
    expect(duration).toBeLessThan(3_000);
  });

  it('also when pawl exits in the middle', async () => {
    const cwd = await folder();
    const { end } = await runProgram('exit-in-the-middle', cwd);
    expect(end).toEqual({ kind: 'exited', exitCode: 7 });
    expect(await isGone(pidIn(join(cwd, 'leader')))).toBe(true);
    expect(await isGone(pidIn(join(cwd, 'child')))).toBe(true);
  });

  it('takes a group that is gone already for what it is', async () => {
    const cwd = await folder();
    await bash('echo $$ > pid', { cwd });
    expect(() => killGroup(pidIn(join(cwd, 'pid')))).not.toThrow();
  });
});
