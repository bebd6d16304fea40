import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, elapsed, folder, runProgram, runRequest } from './support.ts';

describe('a process', () => {
  it('that exits gives its code and both outputs apart', async () => {
    expect(await bash('echo out; echo err >&2; exit 3')).toEqual({
      end: { kind: 'exited', exitCode: 3 },
      stdout: { text: 'out\n', omitted: 0, bytes: 4 },
      stderr: { text: 'err\n', omitted: 0, bytes: 4 },
    });
  });

  it('runs in the folder asked for', async () => {
    const cwd = await folder();
    expect((await bash('pwd -P', { cwd })).stdout.text).toBe(`${cwd}\n`);
  });

  it('gets its arguments as they are, without a shell', async () => {
    const args = ['%s|', '$HOME', '*', '; rm x', '', 'it\'s \\ "q"', '你好'];
    const { stdout } = await runRequest({ command: 'printf', args });
    expect(stdout.text).toBe('$HOME|*|; rm x||it\'s \\ "q"|你好|');
  });

  it('that is killed by a signal says by which', async () => {
    expect((await bash('echo so far; kill -SEGV $$')).end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it.each(['cat', 'read x; echo "got:$x"', 'python3 -c "input()"'])(
    'that reads its input finds it closed: %s',
    async (command) => {
      expect(await elapsed(() => bash(command, { timeoutMs: 60_000 }))).toBeLessThan(30_000);
    },
  );

  it('keeps a character whose bytes are printed apart', async () => {
    const { stdout } = await bash("printf 'a\\342'; sleep 0.2; printf '\\200\\224z'");
    expect(stdout.text).toBe('a—z');
  });

  it('keeps each of 50,000 characters of three bytes, on both outputs', async () => {
    const script =
      "process.stdout.write('\\u4f60'.repeat(50000)); process.stderr.write('\\u4f60'.repeat(50000))";
    const request = { command: 'node', args: ['-e', script], maxCharacters: 50_000 };
    const { stdout, stderr } = await runRequest(request);
    expect(stdout.text === '你'.repeat(50_000)).toBe(true);
    expect(stderr.text === stdout.text).toBe(true);
    expect(stdout.bytes).toBe(150_000);
  });
});

describe('a process that is not started', () => {
  it.each([
    ['a program that is not there', { command: 'no-such-program-here' }, /no program no-such-program-here/],
    ['a file that cannot be executed', { command: '/etc/passwd' }, /\/etc\/passwd is not an executable/],
    ['a folder that is not there', { cwd: '/no/such/folder' }, /folder \/no\/such\/folder does not exist/],
    ['a file as the folder', { cwd: '/etc/passwd' }, /folder \/etc\/passwd .* not a folder/],
    ['too long a command', { args: ['-c', 'x'.repeat(3_000_000)] }, /longer than the system allows/],
    ['a NUL character in an argument', { args: ['-c', 'echo a\0b'] }, /NUL character/],
    ['a NUL character in the folder', { cwd: '/tmp\0/x' }, /NUL character/],
    ['an empty program name', { command: '' }, /empty/],
  ])('says why: %s', async (_, request, reason) => {
    const { end, stdout } = await runRequest(request);
    expect(end).toEqual({ kind: 'not started', reason: expect.stringMatching(reason) });
    expect(stdout.text).toBe('');
  });

  it('because it was cancelled before, is aborted and has done nothing', async () => {
    const cwd = await folder();
    expect((await bash('touch done', { cwd, signal: AbortSignal.abort() })).end).toEqual({ kind: 'aborted' });
    expect(existsSync(join(cwd, 'done'))).toBe(false);
  });
});

describe('large output', () => {
  it('of 200 MB in one line takes little memory and keeps both ends', async () => {
    const { stdout, stderr } = await runProgram('large-output');
    expect(stderr.text).toBe('');
    const { grownKb, length, ...rest } = JSON.parse(stdout.text);
    expect(rest).toEqual({ omitted: 199_958_200, bytes: 200_000_008, ends: 'BEGINzzEND' });
    expect(length).toBeLessThan(50_200);
    expect(grownKb).toBeLessThan(150_000);
  });

  it('does not put off the deadline', async () => {
    let result: Awaited<ReturnType<typeof bash>> | undefined;
    const duration = await elapsed(async () => {
      result = await bash('yes >&2 & yes', { timeoutMs: 500 });
    });
    expect(result?.end).toEqual({ kind: 'timed out' });
    expect(result?.stdout.text.startsWith('y\ny\n')).toBe(true);
    expect(duration).toBeLessThan(30_000);
  });
});

describe('the end of a process', () => {
  it('brings everything that it wrote, also right before the end', async () => {
    const { stdout } = await bash('head -c 60000 /dev/zero | tr "\\0" x; echo END', {
      maxCharacters: 100_000,
    });
    expect(stdout.text.length).toBe(60_004);
    expect(stdout.text.endsWith('xEND\n')).toBe(true);
  });

  it('brings it even while pawl itself is busy', async () => {
    const running = bash('echo BEGIN; sleep 0.1; head -c 50000 /dev/zero | tr "\\0" x', {
      maxCharacters: 100_000,
    });
    const blockUntil = performance.now() + 700;
    while (performance.now() < blockUntil);
    expect((await running).stdout.bytes).toBe(50_006);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const counted: string[] = [];
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      counted.push('added');
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      counted.push('removed');
      remove(...args);
    };
    await bash('true', { signal });
    expect(counted).toEqual(['added', 'removed']);
  });

  it('is not waited for longer than the longest possible timer', async () => {
    expect((await bash('echo ok', { timeoutMs: Number.MAX_SAFE_INTEGER })).stdout.text).toBe('ok\n');
  });
});
