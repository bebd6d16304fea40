/** Questions that nobody can answer when they arise: the run waits, whoever comes by decides. */
import { describe, expect, it } from 'vitest';
import { SANDBOXES } from '../field/sandboxes.ts';
import { lastMessage, type ServedPlace, servedPlace, violationsOf } from '../field/served.ts';
import { call, calls, says } from '../field/support.ts';

const shell = (id: string, command: string) => call(id, 'bash', { command });
const SUSPEND = ['run', '--on-ask', 'suspend', 't'];

/** Each word of it is a command of its own. @param answers by call id; a text is the reason of a no */
async function decided(place: ServedPlace, answers: Readonly<Record<string, true | string>>) {
  for (const [id, answer] of Object.entries(answers)) {
    const args = answer === true ? ['approve', '--last', id] : ['deny', '--last', id, '--reason', answer];
    const { code, stderr } = await place.pawl(args);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  }
}

describe('calls of one reply that are decided about one by one', () => {
  it('all have their results, in call order, whatever was decided: yes, no, yes', async () => {
    const place = servedPlace();
    const ids = ['toolu_c1', 'toolu_c2', 'toolu_c3'];
    await place.serve(calls(...ids.map((id, index) => shell(id, `echo ${index + 1} >> log.txt`))));
    expect((await place.pawl(SUSPEND)).code).toBe(30);
    await decided(place, { toolu_c3: true, toolu_c2: 'it is odd', toolu_c1: true });
    const server = await place.serve(says('ok'));
    expect((await place.resume('--last')).code).toBe(0);
    expect(violationsOf(server)).toEqual([]);
    expect(server.requests).toHaveLength(1);
    expect(lastMessage(server, 1)?.content).toMatchObject([
      { tool_use_id: 'toolu_c1' },
      { tool_use_id: 'toolu_c2', is_error: true, content: expect.stringContaining('it is odd') },
      { tool_use_id: 'toolu_c3' },
    ]);
    expect(place.read('log.txt')).toBe('1\n3\n');
  });

  it.each([
    [{ toolu_bk1: 'no', toolu_bk2: true }, [false, true]],
    [{ toolu_bk2: true, toolu_bk1: 'no' }, [false, true]],
    [{ toolu_bk1: true, toolu_bk2: 'no' }, [true, false]],
  ] as const)('each get their own answer: %j', async (answers, made) => {
    const place = servedPlace();
    await place.serve(calls(shell('toolu_bk1', 'echo A > a.txt'), shell('toolu_bk2', 'echo B > b.txt')));
    await place.pawl(SUSPEND);
    await decided(place, answers);
    expect([place.has('a.txt'), place.has('b.txt')]).toEqual([false, false]);
    await place.serve(says('ok'));
    expect((await place.resume('--last')).code).toBe(0);
    expect([place.has('a.txt'), place.has('b.txt')]).toEqual(made);
  });
});

it.each(
  SANDBOXES.flatMap(({ name, flags }) =>
    (['ignore', 'pipe'] as const).map((input) => ({ name, flags, input })),
  ),
)(
  'unattended, a question is not waited for: the run ends and can be gone on with ($name, input: $input)',
  async ({ flags, input }) => {
    const place = servedPlace();
    await place.serve(calls(shell('toolu_cf1', 'echo x > x.txt')));
    const { child, finished } = place.start([...SUSPEND, ...flags], {}, input);
    const { code, stdout, stderr } = await finished;
    child.stdin?.destroy();
    expect({ code, stdout }).toEqual({ code: 30, stdout: '' });
    expect(stderr).toMatch(/pawl approve \S+ toolu_cf1\n/);
    expect(place.has('x.txt')).toBe(false);
  },
);

it.each(SANDBOXES)(
  'what had run before a question is not run again, and an answered question does not come back ($name)',
  async ({ flags }) => {
    const place = servedPlace();
    place.write('a.txt', 'A\n');
    await place.serve(
      calls(
        call('toolu_co1', 'read_file', { path: 'a.txt' }),
        shell('toolu_co2', 'echo two >> log.txt'),
        shell('toolu_co3', 'echo three >> log.txt'),
      ),
      calls(shell('toolu_co4', 'echo four >> log.txt')),
    );
    await place.pawl([...SUSPEND, ...flags]);
    await decided(place, { toolu_co2: true });
    expect((await place.resume('--last', ...flags)).code).toBe(30);
    await decided(place, { toolu_co3: 'no' });
    const second = await place.resume('--last', ...flags);
    expect(second.code).toBe(30);
    expect(second.stderr).toContain('echo four');
    expect(second.stderr).not.toContain('approve --last toolu_co2');
    expect(place.read('log.txt')).toBe('two\n');
    await decided(place, { toolu_co4: true });
    const server = await place.serve(says('ok'));
    expect((await place.resume('--last', ...flags)).code).toBe(0);
    expect(place.read('log.txt')).toBe('two\nfour\n');
    expect(violationsOf(server)).toEqual([]);
    const finished = place.records().flatMap((one) => (one.type === 'tool.finished' ? [one.callId] : []));
    expect(finished).toEqual(['toolu_co1', 'toolu_co2', 'toolu_co4']);
  },
);
