/** Two processes that want the same run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readJournal } from '../../src/index.ts';
import { servedPlace, violationsOf } from '../field/served.ts';
import { call, calls, says } from '../field/support.ts';

const heldBy = (pid: number | undefined) => expect.stringMatching(new RegExp(`held by process ${pid} `));

describe('a run that another process is working on', () => {
  it('is left alone: the second process ends at once, without a request or a record, and names the first', async () => {
    const place = servedPlace();
    const server = await place.serve(
      calls(
        call('toolu_bt1', 'bash', { command: 'echo run >> log.txt; while [ ! -e go ]; do sleep 0.05; done' }),
      ),
      says('ok'),
    );
    const first = place.start(['run', '--yes', 't']);
    await place.until(() => place.has('log.txt'));
    const before = place.bytes();
    const begun = performance.now();
    const second = await place.resume('--last', '--yes', 'more');
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(second).toMatchObject({ code: 50, stdout: '', stderr: heldBy(first.child.pid) });
    expect(place.bytes()).toBe(before);
    expect(server.requests).toHaveLength(1);

    place.write('go', '');
    expect(await first.finished).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(server.requests).toHaveLength(2);
    expect(violationsOf(server)).toEqual([]);
    expect(place.read('log.txt')).toBe('run\n');
  });

  it('is left alone while that one is stopped, for however long; when it wakes up it ends its work', async () => {
    const place = servedPlace();
    const server = await place.serve(
      {
        fault: 'delay',
        ms: 800,
        reply: calls(call('toolu_ck1', 'bash', { command: 'echo first >> log.txt' })),
      },
      says('ok'),
    );
    const { child, finished } = place.start(['run', '--yes', 't']);
    await place.until(() => server.requests.length === 1);
    child.kill('SIGSTOP');
    await sleep(1_200);
    expect(await place.resume('--last', '--yes')).toMatchObject({ code: 50, stderr: heldBy(child.pid) });
    expect(place.has('log.txt')).toBe(false);

    child.kill('SIGCONT');
    expect(await finished).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(place.read('log.txt')).toBe('first\n');
    expect(server.requests).toHaveLength(2);
    const { records } = await readJournal(place.journal());
    expect(records.filter(({ type }) => type === 'tool.started')).toHaveLength(1);
  });
});
