/** What was saved when a run is left in the middle, and how it goes on. */
import { copyFileSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../machines/protocol.ts';
import { readJournal } from '../../src/index.ts';
import { lastMessage, servedPlace, violationsOf } from './served.ts';
import { call, calls, isAlive, MIXED, mark, says, text } from './support.ts';

describe('a run that is cancelled in the middle of a round of calls', () => {
  it('is saved with one result for each call, in call order, and the service takes the resumed request', async () => {
    const place = servedPlace();
    await place.serve(
      calls(
        text('Checking.'),
        call('toolu_a1', 'bash', { command: 'echo one > one.txt; echo one' }),
        call('toolu_a2', 'bash', { command: `touch begun; sleep ${mark(32)}` }),
        call('toolu_a3', 'bash', { command: 'echo three > three.txt' }),
      ),
    );
    const { child, finished } = place.start(['run', '--yes', 'check three things']);
    await place.until(() => place.has('begun') && isAlive(`sleep ${mark(32)}`));
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
    expect(isAlive(`sleep ${mark(32)}`)).toBe(false);

    const again = await place.serve(says('All accounted for.'));
    expect(await place.resume('--last', '--yes')).toMatchObject({ code: 0, stdout: 'All accounted for.\n' });
    expect(violationsOf(again)).toEqual([]);
    expect(lastMessage(again, 1)).toMatchObject({
      role: 'user',
      content: [
        { tool_use_id: 'toolu_a1', content: 'exit_code=0\none\n' },
        { tool_use_id: 'toolu_a2', is_error: true },
        { tool_use_id: 'toolu_a3', is_error: true, content: expect.stringContaining('cancelled') },
        { type: 'text' },
      ],
    });
    expect(place.has('three.txt')).toBe(false);
  });
});

describe('thinking, redacted and unknown parts of a reply', () => {
  it('come back as they were received, in the same process and from the journal', async () => {
    const place = servedPlace();
    place.write('a.txt', 'A');
    place.write('b.txt', 'B');
    const content = MIXED;
    const first = await place.serve(calls(...content), says('A and B'));
    expect(await place.pawl(['run', 'look at both files'])).toMatchObject({ code: 0, stdout: 'A and B\n' });
    const again = await place.serve(says('still A and B'));
    expect(await place.resume('--last', 'again?')).toMatchObject({ code: 0, stdout: 'still A and B\n' });

    const received = first.history.sent[0]?.content;
    expect(received).toHaveLength(content.length);
    const returned = [first.requests[1], again.requests[0]].map(
      (request) => (request?.body.messages as Message[] | undefined)?.[1]?.content,
    );
    expect(returned).toEqual([received, received]);
    expect([...violationsOf(first), ...violationsOf(again)]).toEqual([]);
  });
});

describe('a journal whose end is torn', () => {
  it.each([1, 10, 100, 600])(
    'by %i bytes opens, says so, and goes on twice without losing what came since',
    async (bytes) => {
      const place = servedPlace();
      await place.serve(calls(call('toolu_br1', 'bash', { command: 'echo one' })), says('one'));
      expect((await place.pawl(['run', '--yes', 't'])).code).toBe(0);
      const [id = ''] = place.ids;
      truncateSync(place.journal(id), Buffer.byteLength(place.bytes(id)) - bytes);

      const again = await place.serve(says('again'), says('and again'));
      const first = await place.resume(id, 'again', '--yes');
      expect(first).toMatchObject({ code: 0, stdout: 'again\n' });
      expect(first.stderr).toMatch(/An incomplete last record \(\d+ bytes\) was dropped/);
      const second = await place.resume(id, 'and again', '--yes');
      expect(second).toMatchObject({ code: 0, stdout: 'and again\n' });
      expect(second.stderr).not.toContain('incomplete');

      expect(violationsOf(again)).toEqual([]);
      const lines = place.bytes(id).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line).seq)).toEqual(lines.map((_, seq) => seq));
      const { records, tornBytes } = await readJournal(place.journal(id));
      expect(tornBytes).toBe(0);
      const said = records.flatMap((record) =>
        record.type === 'reply.received' ? [record.message.content] : [],
      );
      expect(said.slice(-2)).toMatchObject([[{ text: 'again' }], [{ text: 'and again' }]]);
    },
  );
});

describe('a call that had its effect when the process was killed', () => {
  it('is not repeated: the model is told that its outcome is unknown, and can look', async () => {
    const place = servedPlace();
    await place.serve(
      calls(call('toolu_bv1', 'bash', { command: 'echo $$ > pid; echo paid >> ledger; exec sleep 30' })),
    );
    const { child, finished } = place.start(['run', '--yes', 'pay once']);
    await place.until(() => place.has('ledger'));
    await sleep(50);
    child.kill('SIGKILL');
    process.kill(Number(place.read('pid')), 'SIGKILL');
    await finished;
    copyFileSync(place.journal(), place.file('left.jsonl'));

    const again = await place.serve(
      calls(call('toolu_bv2', 'bash', { command: 'cat ledger' })),
      says('paid once'),
    );
    expect(await place.resume('--last', '--yes')).toMatchObject({ code: 0, stdout: 'paid once\n' });
    expect(place.read('ledger')).toBe('paid\n');
    expect(violationsOf(again)).toEqual([]);
    expect(lastMessage(again, 1)?.content).toMatchObject([
      {
        tool_use_id: 'toolu_bv1',
        is_error: true,
        content: expect.stringMatching(/was started .* outcome is unknown/),
      },
    ]);
    expect(lastMessage(again, 2)?.content).toMatchObject([{ content: 'exit_code=0\npaid\n' }]);
    const left = (await readJournal(place.file('left.jsonl'))).records;
    expect(place.records().slice(0, left.length)).toMatchObject(left);
  });
});
