/** A process that ends at a question to a person. */
import { describe, expect, it } from 'vitest';
import { CLI } from '../cli/support.ts';
import { SANDBOXES } from '../field/sandboxes.ts';
import { lastMessage, type ServedPlace, servedPlace, violationsOf } from '../field/served.ts';
import { call, calls, says } from '../field/support.ts';

/** Starts the command on a terminal of its own and kills it when a text has been shown there so many times. */
const KILL_AT = `
import os, pty, signal, sys
seen, times = sys.argv[1].encode(), int(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[4], sys.argv[4:])
shown, typed = b"", 0
while shown.count(seen) < times:
    shown += os.read(terminal, 65536)
    while typed < shown.count(seen) and typed < times - 1:
        os.write(terminal, sys.argv[3].encode() + b"\\n")
        typed += 1
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
sys.stdout.write(shown.decode())
`;
const QUESTION = 'Approve bash? [y]es / [N]o / [a]lways / [s]top: ';
const REASON = 'Reason for the model (Enter for none): ';

/** Killed at the n-th question; those before it are allowed. */
async function killedAt(place: ServedPlace, question: number, ...args: readonly string[]): Promise<string> {
  place.write('kill-at.py', KILL_AT);
  const words = args.map((word) => `'${word}'`).join(' ');
  const { code, stdout, stderr } = await place.shell(
    `TERM=xterm python3 kill-at.py '${QUESTION}' ${question} y '${process.execPath}' '${CLI}' ${words}`,
  );
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

describe.each(SANDBOXES)('a round of calls, $name, of which some are to be allowed', ({ flags }) => {
  it('is gone on with at the question that is open: each is answered once, and each call runs once', async () => {
    const place = servedPlace();
    place.write('a.txt', 'A\n');
    await place.serve(
      calls(
        call('toolu_co1', 'read_file', { path: 'a.txt' }),
        call('toolu_co2', 'bash', { command: 'echo two >> log.txt' }),
        call('toolu_co3', 'bash', { command: 'echo three >> log.txt' }),
      ),
    );
    expect(await killedAt(place, 1, 'run', ...flags, 't')).toContain('echo two');

    const second = await killedAt(place, 2, 'resume', ...flags, '--last');
    expect(second).toContain('echo two');
    expect(second).toContain('echo three');

    const server = await place.serve(says('ok'));
    const third = await place.terminal(
      ['resume', ...flags, '--last'],
      [
        [QUESTION, 'n\n'],
        [REASON, '\n'],
      ],
    );
    expect(third.code).toBe(0);
    expect(third.shown.split(QUESTION)).toHaveLength(2);
    expect(third.shown).toContain('echo three');
    expect(place.read('log.txt')).toBe('two\n');
    expect(violationsOf(server)).toEqual([]);
    expect(lastMessage(server, 1)?.content).toMatchObject([
      { tool_use_id: 'toolu_co1', content: expect.stringContaining('A') },
      { tool_use_id: 'toolu_co2', content: 'exit_code=0\n(no output)' },
      { tool_use_id: 'toolu_co3', is_error: true, content: expect.stringContaining('denied') },
    ]);
    const answered = place
      .records()
      .flatMap((record) =>
        record.type.startsWith('approval.') || record.type === 'tool.started' ? [record] : [],
      );
    expect(answered.map((record) => [record.type, 'callId' in record && record.callId])).toEqual([
      ['approval.granted', 'toolu_co2'],
      ['approval.denied', 'toolu_co3'],
      ['tool.started', 'toolu_co1'],
      ['tool.started', 'toolu_co2'],
    ]);
  });
});
