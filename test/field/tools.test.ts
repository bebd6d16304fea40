import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { StrictReply } from '../helpers/strict-server.ts';
import { SANDBOXES } from './sandboxes.ts';
import { call, calls, isAlive, mark, type Played, place, play, resultsIn, says } from './support.ts';

const shell = (id: string, command: string) => call(id, 'bash', { command });

describe.each(SANDBOXES)('a command, $name,', ({ sandbox }) => {
  const commanded = (replies: readonly StrictReply[], how: Played = {}) => play(replies, { ...how, sandbox });

  it('that runs out of time is ended with all its children, and its result says so with the output so far', async () => {
    const startedAt = Date.now();
    const { server, at } = await commanded(
      [
        calls(
          shell(
            'toolu_at1',
            `echo begun; for i in 1 2 3; do (while :; do sleep 0.2; echo x >> beat; done) & done; sleep ${mark(600)}`,
          ),
        ),
        says('ok'),
      ],
      { toolTimeoutMs: 1000 },
    );
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    const [result] = resultsIn(server, 2);
    expect(result).toMatchObject({ is_error: true, content: expect.stringMatching(/timed out[\s\S]*begun/) });
    const size = () => statSync(path.join(at.folder, 'beat')).size;
    const before = size();
    await sleep(700);
    expect(size()).toBe(before);
    expect(isAlive(`sleep ${mark(600)}`)).toBe(false);
  });

  it('is over when its shell is: a background child that holds the output does not keep the call, nor outlive it', async () => {
    const startedAt = Date.now();
    const { server } = await commanded([
      calls(shell('toolu_av1', `sleep ${mark(60)} & echo done`)),
      calls(shell('toolu_av2', `(while :; do echo tick; sleep ${mark(1)}; done) & sleep 1; echo done`)),
      says('ok'),
    ]);
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    for (const request of [2, 3]) expect(resultsIn(server, request)[0]?.content).toContain('done');
    expect(isAlive(`sleep ${mark(60)}`)).toBe(false);
    expect(isAlive(`sleep ${mark(1)}`)).toBe(false);
  });

  it('that reads its input finds it closed and ends at once', async () => {
    const startedAt = Date.now();
    const { server } = await commanded([
      calls(
        shell('toolu_ay1', 'cat'),
        shell('toolu_ay2', 'read x; echo got:$x'),
        call('toolu_ay3', 'run_python', { code: 'input()' }),
      ),
      says('ok'),
    ]);
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    const [cat, read, python] = resultsIn(server, 2);
    expect(cat?.content).toContain('(no output)');
    expect(read?.content).toContain('got:');
    expect(python).toMatchObject({ is_error: true, content: expect.stringContaining('EOFError') });
  });

  it('keeps its characters when their bytes arrive in pieces', async () => {
    const { server } = await commanded([
      calls(
        shell(
          'toolu_ba1',
          "printf 'a\\342'; sleep 0.2; printf '\\200\\224z'; printf 'b\\342' >&2; sleep 0.2; printf '\\200\\224y' >&2",
        ),
        call('toolu_ba2', 'run_python', {
          code: "import sys\nsys.stdout.buffer.write('你'.encode() * 10_000)",
        }),
      ),
      says('ok'),
    ]);
    const [split, many] = resultsIn(server, 2);
    expect(split?.content).toMatch(/a—z[\s\S]*b—y/);
    expect(many?.content).toContain('你'.repeat(10_000));
    expect(server.requests[1]?.raw).not.toMatch(/\ufffd|\\ufffd/i);
  });

  it('is gone when a cancelled run reports, and the call behind it never starts', async () => {
    const at = place();
    const tick = path.join(at.folder, 'tick');
    const controller = new AbortController();
    const stop = async () => {
      while (!existsSync(tick) || statSync(tick).size < 6) await sleep(20);
      controller.abort('SIGTERM');
    };
    const loop = 'for i in 1 2 3 4 5 6 7 8 9; do echo $i >> tick; sleep 0.3; done';
    const [{ outcome }] = await Promise.all([
      commanded([calls(shell('toolu_bo1', loop), shell('toolu_bo2', 'echo second >> second.txt'))], {
        at,
        options: { signal: controller.signal },
      }),
      stop(),
    ]);
    expect(outcome).toMatchObject({ status: 'cancelled', exitCode: 143 });
    const before = at.read('tick');
    await sleep(700);
    expect(at.read('tick')).toBe(before);
    expect(existsSync(path.join(at.folder, 'second.txt'))).toBe(false);
  });
});

describe('an edit', () => {
  const edit = (id: string, file: string, before: string, after: string) =>
    call(id, 'edit_file', { path: file, old_string: before, new_string: after });

  it('of a file with Windows line ends applies, and changes no byte outside the replaced text', async () => {
    const at = place();
    at.write('input.txt', 'a = 1\r\nb = 2\r\nc = 3\r\n');
    await play([calls(edit('toolu_bc1', 'input.txt', 'a = 1\nb = 2', 'a = 1\nb = 22')), says('ok')], { at });
    expect(at.read('input.txt')).toBe('a = 1\r\nb = 22\r\nc = 3\r\n');
  });

  it('takes its new text literally', async () => {
    const at = place();
    const after = 'log("$& $$ $1 $` $\' ok");';
    at.write('a.js', '// head\nlog("done");\n// tail\n');
    await play([calls(edit('toolu_be1', 'a.js', 'log("done");', after)), says('ok')], { at });
    expect(at.read('a.js')).toBe(`// head\n${after}\n// tail\n`);
  });

  it('of a file that the same reply edits before keeps both, in twos and in sixes', async () => {
    const at = place();
    const lines = Array.from({ length: 100 }, (_, n) => `${n + 1}`);
    at.write('n.txt', `${lines.join('\n')}\n`);
    const change = (id: string, from: number) => edit(id, 'n.txt', `\n${from}\n`, `\nN${from}\n`);
    await play(
      [
        calls(change('toolu_1', 50), change('toolu_2', 75)),
        calls(...[11, 22, 33, 44, 55, 66].map((n) => change(`toolu_n${n}`, n))),
        says('ok'),
      ],
      { at },
    );
    const changed = [50, 75, 11, 22, 33, 44, 55, 66];
    expect(at.read('n.txt')).toBe(
      `${lines.map((n) => (changed.includes(Number(n)) ? `N${n}` : n)).join('\n')}\n`,
    );
  });
});
