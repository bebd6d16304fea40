/** Runs that cannot be gone on with as things are: it is said what would change that, and nothing is written. */
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RECORD_VERSION } from '../../src/journal/record.ts';
import { bash, RunPlace } from './resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

/** Refused with the exit code 2 and one line; the journal is as it was. */
async function refused(args: readonly string[], told: RegExp): Promise<void> {
  const before = place.bytes();
  const { code, stdout, stderr } = await place.resume(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(told);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(place.bytes()).toBe(before);
}

describe('with exit code 2 is refused', () => {
  it('a run that has answered, without a word of what else is to be done', async () => {
    await place.run([{ text: 'one' }]);
    await refused(
      ['--last'],
      /^pawl: The run has answered\. Give it an instruction \(the words behind its name\): what else is to be done\./,
    );
  });

  it('also where a program follows: no notice and no document comes before the refusal', async () => {
    await place.run([{ text: 'one' }]);
    await refused(['--last', '--output-format', 'stream-json'], /^pawl: The run has answered\./);
  });

  it.each([
    ['--max-turns', '1', /^pawl: The turn limit is reached: 1 of 1 turns\. Raise .*--max-turns \+10/],
    [
      '--token-budget',
      '2',
      /^pawl: The token budget leaves no room .*: 2 of 2 tokens are spent\. Raise .*--token-budget \+/,
    ],
  ])('a run that would end at once, for its limit is not raised (%s)', async (flag, limit, told) => {
    await place.run([bash('true')], ['--yes', '--no-summary', flag, limit]);
    await refused(['--last'], told);
    await refused(['--last', 'go on'], told);
  });

  it.each([
    [
      '"+3" to a limit that the run does not have',
      ['--token-budget', '+3'],
      /no such limit that could be raised/,
    ],
    ['what is no number', ['--max-turns', '+x'], /--max-turns \+ must be a positive whole number/],
    [
      'an unknown format',
      ['--output-format', 'xml'],
      /--output-format must be one of text, json, stream-json/,
    ],
  ])('%s', async (_, flags, told) => {
    await place.run([{ text: 'one' }]);
    await refused(['--last', 'more', ...flags], told);
  });

  it('a workspace that is gone, until it is said where it is now', async () => {
    mkdirSync(place.file('old'));
    await place.run([{ text: 'one' }, bash('pwd'), { text: 'two' }], ['--yes', '-C', 'old']);
    renameSync(place.file('old'), place.file('new'));
    await refused(
      ['--last', 'more'],
      /^pawl: The workspace .*\/old of the run is not there any more\. .*--cd FOLDER/,
    );
    await refused(['--last', 'more', '--cd', 'nowhere'], /^pawl: The workspace .*nowhere does not exist/);
    expect(await place.resume('--last', 'more', '--yes', '--cd', 'new')).toMatchObject({
      code: 0,
      stdout: 'two\n',
      stderr: expect.stringMatching(/The workspace is now .*\/new; it was .*\/old\./),
    });
  });

  it('a script that is gone, until another one is named', async () => {
    await place.run([{ text: 'one' }]);
    rmSync(place.file('s.json'));
    await refused(
      ['--last', 'more'],
      /^pawl: The run plays the script .*s\.json cannot be read: there is no such file.*--script FILE/,
    );
    place.write('other.json', [{ text: 'two' }]);
    expect(await place.resume('--last', 'more', '--script', 'other.json')).toMatchObject({ stdout: 'two\n' });
  });

  it('an agent file that is gone, until it is said where it is now', async () => {
    place.write('a.md', '---\nname: a\n---\nBe kind.\n');
    await place.run([{ text: 'one' }, { text: 'two' }], ['--agent', 'a.md']);
    renameSync(place.file('a.md'), place.file('b.md'));
    await refused(['--last', 'more'], /^pawl: The agent file .*a\.md cannot be read: there is no such file/);
    expect(await place.resume('--last', 'more', '--agent', 'b.md')).toMatchObject({ stdout: 'two\n' });
  });
});

describe('with exit code 50 is refused', () => {
  async function unusable(told: RegExp): Promise<void> {
    const before = place.bytes();
    const text = await place.resume('--last', 'more');
    expect(text).toMatchObject({ code: 50, stdout: '', stderr: expect.stringMatching(told) });
    for (const format of ['json', 'stream-json']) {
      const { code, stdout } = await place.resume('--last', 'more', '--output-format', format);
      expect(code).toBe(50);
      expect(JSON.parse(stdout)).toMatchObject({
        type: 'result',
        status: 'journal_error',
        exit_code: 50,
        errors: [expect.stringMatching(told)],
      });
    }
    expect(place.bytes()).toBe(before);
  }

  it('a run that another process holds, which is named', async () => {
    place.write('s.json', [bash('touch begun; sleep 30')]);
    const { child, finished } = place.start(['run', '--yes', '--script', 's.json', 't']);
    await place.until(() => place.has('begun'));
    const held = new RegExp(`the run ${place.ids[0]} is held by process ${child.pid} \\(since 20`);
    await unusable(held);
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
  });

  it('a journal that is damaged, with the line', async () => {
    const { run_id } = await place.run([bash('true'), { text: 'one' }]);
    writeFileSync(place.journal(run_id), place.bytes().replace('the task', 'another task'));
    await unusable(/, line 1: the line does not follow from the one before it: it was changed/);
  });

  it('a journal that is damaged behind sound records: how many there are, and how they are gone on with', async () => {
    const { run_id } = await place.run([bash('true'), { text: 'one' }, { text: 'two' }]);
    writeFileSync(place.journal(run_id), place.bytes().replace('"text":"one"', '"text":"won"'));
    const sound = place.types(run_id).lastIndexOf('reply.received');
    await unusable(
      new RegExp(
        `, line ${sound + 1}: .* ${sound} records before it are sound: pawl fork ${run_id} --at ${sound - 1} goes on`,
      ),
    );
    const fork = await place.pawl(['fork', run_id, '--at', String(sound - 1)]);
    expect(await place.resume(fork.stdout.trim(), '--yes')).toMatchObject({ code: 0, stdout: 'one\n' });
  });

  it('a journal whose last record was changed: what it started is not started again', async () => {
    const id = await place.interrupted([bash('echo once >> log.txt')]);
    const bytes = place.bytes().split('\n').slice(0, 4).join('\n');
    writeFileSync(
      place.journal(id),
      `${bytes.replace('"type":"tool.started","turn":1', '"type":"tool.started","turn":2')}\n`,
    );
    await unusable(/, line 4: .* 3 records before it are sound/);
    expect(place.read('log.txt')).toBe('once\n');
  });

  it('a journal that is empty', async () => {
    const { run_id } = await place.run([{ text: 'one' }]);
    truncateSync(place.journal(run_id));
    await unusable(/line 1: there is no record in it: the run never began, and the file can be deleted\.$/m);
  });

  it('a run of a newer pawl, with its version', async () => {
    const { run_id } = await place.run([{ text: 'one' }]);
    place.rewrite(run_id, (record) =>
      record.type === 'run.started' ? { ...record, version: RECORD_VERSION + 1, pawl: '9.8.7' } : record,
    );
    await unusable(/it was written by a newer pawl \(9\.8\.7\)/);
  });
});

describe('the end of a journal that a crash has torn', () => {
  it('is told and dropped, and what is written next stands on a line of its own', async () => {
    const { run_id } = await place.run([{ text: 'one' }, { text: 'two' }]);
    const torn = '{"sum":"0123456789abcdef","seq":5,"type":"reply.rec';
    appendFileSync(place.journal(run_id), torn);
    const { code, stderr } = await place.resume(run_id, 'more');
    expect(code).toBe(0);
    expect(stderr).toContain(`An incomplete last record (${torn.length} bytes) was dropped`);
    expect(place.bytes()).not.toContain('0123456789abcdef');
    expect(place.types(run_id).at(-1)).toBe('run.ended');
    expect(path.basename(place.journal(run_id))).toBe(`${run_id}.jsonl`);
  });
});
