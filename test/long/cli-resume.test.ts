/** `pawl resume` from the outside: which run goes on, what the model is told, how far it may go now. */
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, RunPlace } from '../cli/resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

const TWO_ANSWERS = [{ text: 'one' }, { when: 'go on', text: 'two' }];

describe('the run that goes on', () => {
  it('is named by its id, by a beginning that only it has, or by its journal', async () => {
    const { run_id } = await place.run([
      { text: 'one' },
      { text: 'two' },
      { text: 'three' },
      { text: 'four' },
    ]);
    const named = [run_id, run_id.slice(0, -2), `${place.home}/pawl/runs/${run_id}.jsonl`];
    for (const [index, name] of named.entries())
      expect(await place.resume(name, 'more')).toMatchObject({
        code: 0,
        stdout: `${['two', 'three', 'four'][index]}\n`,
      });
    expect(place.ids).toEqual([run_id]);
  });

  it('is the newest one with --last, and the newest one of this folder with -c', async () => {
    const here = await place.run(TWO_ANSWERS);
    mkdirSync(place.file('elsewhere'));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const there = await place.run(TWO_ANSWERS, ['--yes', '-C', 'elsewhere']);
    expect(await place.resumed('-c', 'go on')).toMatchObject({ run_id: here.run_id, result: 'two' });
    expect(await place.resumed('--last', 'go on')).toMatchObject({ run_id: there.run_id, result: 'two' });
  });

  it.each([
    ['nobody is named', [], /^pawl: Say which run is to go on: its id .*--last.*--continue/],
    ['there is no run yet', ['--last'], /^pawl: There is no run yet\. Start one: pawl run "task"/],
    ['none has worked here', ['-c'], /^pawl: No run has worked in .*work yet\. .*pawl runs/],
    ['the id is unknown', ['2020'], /^pawl: There is no run "2020": .*\/runs holds none\./],
    [
      'there is no such journal',
      ['./a.jsonl'],
      /^pawl: The journal .*a\.jsonl cannot be read: there is no such/,
    ],
  ])('where %s, it is told how to name one, with exit code 2', async (_, args, told) => {
    const { code, stdout, stderr } = await place.resume(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(told);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('must be the only one that is meant: else those that might be are listed', async () => {
    const first = await place.run([{ text: 'one' }]);
    const second = await place.run([{ text: 'one' }]);
    const { code, stderr } = await place.resume('2', 'more');
    expect(code).toBe(2);
    for (const { run_id } of [first, second]) expect(stderr).toContain(run_id);
  });
});

describe('what the model is told', () => {
  it('are all words behind the name of the run', async () => {
    const { run_id } = await place.run(TWO_ANSWERS);
    expect(await place.resume(run_id, 'now', 'go', 'on')).toMatchObject({ code: 0, stdout: 'two\n' });
    expect(place.records().find(({ type }) => type === 'run.resumed')).toMatchObject({
      instruction: 'now go on',
    });
  });

  it('are all words with --last, since the run is named already', async () => {
    await place.run(TWO_ANSWERS);
    expect(await place.resume('--last', 'now', 'go', 'on')).toMatchObject({ code: 0, stdout: 'two\n' });
  });

  it('comes from standard input where a "-" stands for it', async () => {
    await place.run(TWO_ANSWERS);
    expect(await place.shell('echo "please go on" | pawl resume --last -')).toMatchObject({
      code: 0,
      stdout: 'two\n',
    });
  });

  it('must not be empty where it was to come from standard input', async () => {
    await place.run(TWO_ANSWERS);
    const before = place.bytes();
    const { code, stderr } = await place.shell('echo | pawl resume --last -');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('empty') });
    expect(place.bytes()).toBe(before);
  });

  it('is nothing new where the run was interrupted: it goes on where it was', async () => {
    const id = await place.interrupted([bash('echo once >> log.txt')]);
    place.write('s.json', [bash('echo once >> log.txt'), { text: 'done' }]);
    expect(await place.resumed(id, '--yes')).toMatchObject({
      status: 'answered',
      result: 'done',
      num_turns: 2,
    });
    expect(place.read('log.txt')).toBe('once\n');
    expect(place.records().find(({ type }) => type === 'run.resumed')).toMatchObject({ instruction: null });
  });

  it('is that tools are on again, where a limit had switched them off', async () => {
    await place.run(
      [bash('true'), { text: 'so far' }, { when: 'tools can be used', text: 'done' }],
      ['--yes', '--max-turns', '1'],
    );
    expect(await place.resumed('--last', '--max-turns', '+1')).toMatchObject({ result: 'done' });
  });
});

describe('limits', () => {
  const ROUNDS = [bash('true'), bash('true'), bash('true'), bash('true'), { text: 'done' }];
  const limited = (...flags: string[]) => place.run(ROUNDS, ['--yes', '--no-summary', ...flags]);

  it('may be raised by so much more, or be given anew', async () => {
    expect(await limited('--max-turns', '1')).toMatchObject({ exit_code: 10, num_turns: 1 });
    expect(await place.resumed('--last', '--yes', '--max-turns', '+2')).toMatchObject({
      exit_code: 10,
      num_turns: 3,
    });
    expect(await place.resumed('--last', '--yes', '--max-turns', '4')).toMatchObject({
      exit_code: 10,
      num_turns: 4,
    });
    expect(await place.resumed('--last', '--yes', '--max-turns', '+5')).toMatchObject({
      status: 'answered',
      num_turns: 5,
    });
  });

  it.each([
    ['--token-budget', '4', '+2', 'token_budget', 1],
    ['--max-tool-calls', '1', '+1', 'max_tool_calls', 2],
  ])('%s counts what was spent before', async (flag, limit, more, status, turns) => {
    expect(await limited(flag, limit)).toMatchObject({ status, num_turns: turns });
    expect(await place.resumed('--last', '--yes', flag, more)).toMatchObject({ status });
    expect(await place.resumed('--last', '--yes', flag, '100000')).toMatchObject({ status: 'answered' });
  });

  it('stay as they were where nothing is said of them', async () => {
    await place.run(
      [{ text: 'one' }, bash('true'), bash('true'), { text: 'done' }],
      ['--yes', '--max-turns', '2', '--no-summary'],
    );
    expect(await place.resumed('--last', '--yes', 'more')).toMatchObject({ exit_code: 10, num_turns: 2 });
  });
});
