/** A disk that takes no more, and how much of it a run needs. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileJournal, readJournal } from '../../src/index.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { longRun } from './long-run.ts';
import { servedPlace, violationsOf } from './served.ts';
import { call, calls, says } from './support.ts';

describe('a journal that may not grow any further', () => {
  it('stops the run before a call that could not be saved, names the file, and can be gone on with', async () => {
    const place = servedPlace();
    const rounds = Array.from({ length: 12 }, (_, index) =>
      calls(
        call(`toolu_bx${index}`, 'bash', {
          command: `echo ${index} >> log.txt; head -c 6000 /dev/zero | tr '\\0' y`,
        }),
      ),
    );
    await place.serve(...rounds);
    const json = await place.shell('ulimit -f 40; pawl run --yes --output-format json t');
    expect(json.code).toBe(50);
    const ending = JSON.parse(json.stdout) as { errors: string[] };
    expect(ending).toMatchObject({ status: 'journal_error', exit_code: 50, result: null });
    expect(ending.errors[0]).toContain(
      `could not write the journal ${place.journal()}: the file may not grow any further`,
    );
    expect(json.stderr).toContain(place.journal());
    expect(json.stderr).not.toContain('pawl resume');
    expect(statSync(place.journal()).size).toBeLessThanOrEqual(40 * 1024);

    const lines = () => place.read('log.txt').trim().split('\n');
    const { records } = await readJournal(place.journal());
    expect(lines().length).toBeGreaterThan(0);
    expect(lines()).toHaveLength(records.filter(({ type }) => type === 'tool.started').length);

    const done = lines();
    const again = await place.serve(says('ok'));
    expect(await place.resume('--last', '--yes')).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(violationsOf(again)).toEqual([]);
    expect(lines().slice(0, done.length)).toEqual(done);
    expect(new Set(lines()).size).toBe(lines().length);
  });
});

describe('the journal of a long run', () => {
  it('grows in proportion to its rounds, and has each result once', async () => {
    const [fifty = '', hundred = ''] = await Promise.all(
      [50, 100].map(async (rounds) => {
        const file = path.join(scratchFolder(), 'a-run.jsonl');
        await longRun(rounds, fileJournal(file));
        return readFileSync(file, 'utf8');
      }),
    );
    expect(hundred.length / fifty.length).toBeLessThan(2.1);
    for (let round = 1; round <= 100; round += 1) expect(hundred.split(`<${round}>`)).toHaveLength(2);
  });
});
