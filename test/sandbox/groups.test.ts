import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { killTree } from '../../src/sandbox/groups.ts';
import { localSandbox } from '../../src/sandbox/process.ts';
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
      text = (await bash('sleep 60 & echo $! > pid; echo done', { cwd, timeoutMs: 60_000 })).stdout.text;
    });
    expect(text).toBe('done\n');
    expect(duration).toBeLessThan(20_000);
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

  it('on an abort kills the whole tree at once and gives the output so far', async () => {
    const cwd = await folder();
    const controller = new AbortController();
    const running = bash('echo begun; sleep 60 & echo $! > pid; wait', { cwd, signal: controller.signal });
    await appears(join(cwd, 'pid'));
    const duration = await elapsed(async () => {
      controller.abort();
      expect(await running).toMatchObject({ end: { kind: 'aborted' }, stdout: { text: 'begun\n' } });
    });
    expect(duration).toBeLessThan(5_000);
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

  it.runIf(process.platform === 'linux').each([
    ['a session of its own', "setsid sh -c 'echo $$ > pid; sleep 30' &"],
    ['a session without a leader', 'setsid sh -c \'sh -c "echo \\$\\$ > pid; sleep 30" & exit\' &'],
    [
      'a daemon that let go of everything',
      "(setsid setsid sh -c 'echo $$ > pid; sleep 30' <&- >&- 2>&- &) &",
    ],
  ])('finds a process that left: %s', async (_, start) => {
    const cwd = await folder();
    const wait = 'while [ ! -s pid ]; do sleep 0.02; done; echo done';
    let text = '';
    const duration = await elapsed(async () => {
      text = (await bash(`${start} ${wait}`, { cwd, timeoutMs: 60_000 })).stdout.text;
    });
    expect(text).toBe('done\n');
    expect(duration).toBeLessThan(20_000);
    expect(await isGone(pidIn(join(cwd, 'pid')))).toBe(true);
  });

  it.runIf(process.platform === 'linux')('finds it at the deadline and after an abort too', async () => {
    const controller = new AbortController();
    const command = "setsid sh -c 'echo $$ > pid; sleep 30' & sleep 30";
    const [late, aborted] = [await folder(), await folder()];
    const running = [
      bash(command, { cwd: late, timeoutMs: 500 }),
      bash(command, { cwd: aborted, signal: controller.signal }),
    ];
    await appears(join(aborted, 'pid'));
    controller.abort();
    await Promise.all(running);
    expect(await isGone(pidIn(join(late, 'pid')))).toBe(true);
    expect(await isGone(pidIn(join(aborted, 'pid')))).toBe(true);
  });

  it.runIf(process.platform === 'linux')(
    'finds what a call of another pawl started, inside of a call',
    async () => {
      const cwd = await folder();
      const inner = localSandbox({ environment: { ...process.env, PAWL_CALL: 'the-enclosing-call' } });
      const request = {
        command: 'sh',
        args: ['-c', 'echo $PAWL_CALL'],
        cwd,
        timeoutMs: 5_000,
        maxCharacters: 100,
      };
      const { stdout } = await inner.run({ ...request, signal: new AbortController().signal });
      expect(stdout.text).toMatch(/^the-enclosing-call [\da-f-]{36}\n$/);
    },
  );

  it.runIf(process.platform === 'linux')('leaves alone what other calls have started', async () => {
    const cwd = await folder();
    const other = bash("setsid sh -c 'echo $$ > pid; sleep 1; echo alive > sign' & sleep 1.5; cat sign", {
      cwd,
    });
    await appears(join(cwd, 'pid'));
    await bash('true');
    expect((await other).stdout.text).toBe('alive\n');
  });

  it.runIf(process.platform === 'linux')(
    'is not held up by a process that left and cleared its environment, which is not found',
    async () => {
      const cwd = await folder();
      const command =
        "env -i setsid sh -c 'echo $$ > pid; sleep 30' & while [ ! -s pid ]; do sleep 0.02; done; echo done";
      let text = '';
      const duration = await elapsed(async () => {
        text = (await bash(command, { cwd, timeoutMs: 60_000 })).stdout.text;
      });
      const escaped = pidIn(join(cwd, 'pid'));
      onTestFinished(() => killTree({ leader: escaped, mark: randomUUID() }));
      expect(text).toBe('done\n');
      expect(duration).toBeLessThan(20_000);
    },
  );

  it('also when pawl exits in the middle', async () => {
    const cwd = await folder();
    const { end } = await runProgram('exit-in-the-middle', cwd);
    expect(end).toEqual({ kind: 'exited', exitCode: 7 });
    expect(await isGone(pidIn(join(cwd, 'leader')))).toBe(true);
    expect(await isGone(pidIn(join(cwd, 'child')))).toBe(true);
    if (process.platform === 'linux') expect(await isGone(pidIn(join(cwd, 'stray')))).toBe(true);
  });

  it('takes a group that is gone already for what it is', async () => {
    const cwd = await folder();
    await bash('echo $$ > pid', { cwd });
    const tree = { leader: pidIn(join(cwd, 'pid')), mark: randomUUID() };
    expect(() => killTree(tree)).not.toThrow();
  });
});
