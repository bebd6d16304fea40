import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordBody } from '../../src/journal/record.ts';
import { ANSWERED, ID, Journals } from './journals.ts';
import { Place } from './support.ts';

let place: Place;
let journals: Journals;
beforeEach(() => {
  place = new Place();
  journals = new Journals(place);
});
afterEach(() => place.remove());

const replay = (...more: readonly string[]) => place.pawl(['replay', ID, ...more]);

describe('the check of a record', () => {
  it('finds that every decision is as it was recorded', async () => {
    journals.put();
    const [text, json] = await Promise.all([replay(), replay('--json')]);
    expect(text).toEqual({
      code: 0,
      stdout: '✓ 8 records: every decision is as it was recorded.\n',
      stderr: '',
    });
    expect(JSON.parse(json.stdout)).toEqual({
      run: ID,
      records: 8,
      is_as_recorded: true,
      deviation: null,
      what_if: null,
      journal: journals.file(),
    });
  });

  it('names the first record that was made up, with what would be recorded now', async () => {
    journals.put([...ANSWERED.slice(0, 7), { ...ANSWERED[7], turns: 9 } as RecordBody]);
    const { code, stdout } = await replay();
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      '✗ record 7, run.ended: something else would be recorded now.',
      '  turns',
      '  - 9',
      '  + 2',
      '  - recorded, + decided now',
      '',
    ]);
    expect(JSON.parse((await replay('--json')).stdout)).toMatchObject({
      is_as_recorded: false,
      deviation: {
        seq: 7,
        type: 'run.ended',
        state: 'answered',
        differences: [{ path: 'turns', left: 9, right: 2 }],
      },
    });
  });

  it('holds up to the damage of a journal', async () => {
    journals.put();
    journals.damage(4);
    const { code, stdout, stderr } = await replay();
    expect(code).toBe(50);
    expect(stdout).toContain('3 records: every decision');
    expect(stderr).toContain('line 4');
  });
});

describe('other limits', () => {
  it.each([
    [
      ['--max-turns', '1'],
      'would have stopped at record 6, before turn 2, with max_turns (1 of 1 turn; 5 tokens by then); a summary request would have followed; recorded: answered after 2 turns',
    ],
    [
      ['--token-budget', '5', '--no-summary'],
      'would have stopped at record 2, with 1 call of turn 1 not run, with token_budget (5 of 5 tokens); no summary would have followed; recorded: answered after 2 turns',
    ],
    [['--max-tool-calls', '7'], 'would have gone the same way; recorded: answered after 2 turns'],
  ])('%j: %s', async (flags, words) => {
    journals.put();
    expect(await replay(...flags)).toEqual({ code: 0, stdout: `${words}\n`, stderr: '' });
  });

  it('are told to scripts', async () => {
    journals.put();
    expect(JSON.parse((await replay('--max-turns', '1', '--json')).stdout).what_if).toEqual({
      outcome: 'stops',
      at_record: 6,
      status: 'max_turns',
      summary: true,
      turn: 2,
      num_turns: 1,
      tool_calls: 1,
      tokens: 5,
      recorded: { stopped_there: null, status: 'answered', num_turns: 2 },
    });
  });

  it('say where a run that was stopped would have gone on, or have stopped otherwise', async () => {
    place.write('s.json', [
      { calls: [{ name: 'list_files', input: {} }] },
      { calls: [{ name: 'list_files', input: {} }] },
      { text: 'so far' },
    ]);
    const run = ['run', '--script', 's.json', '--max-turns', '2', '--output-format', 'json', 't'];
    const { run_id } = JSON.parse((await place.pawl(run)).stdout);
    const ask = async (...flags: readonly string[]) =>
      (await place.pawl(['replay', run_id, ...flags])).stdout;
    expect(await ask()).toContain('every decision is as it was recorded');
    expect(await ask('--max-turns', '9')).toMatch(
      /^would have gone on at record \d+, where the recorded run stopped with max_turns;/,
    );
    expect(await ask('--no-summary')).toMatch(
      /with max_turns, as recorded \(.*\); no summary would have followed/,
    );
    expect(await ask('--token-budget', '4', '--max-turns', '9')).toMatch(
      /with 1 call of turn 1 not run, with token_budget/,
    );
  });

  it.each(['0', 'x'])('must be positive: %s', async (value) => {
    journals.put();
    const { code, stderr } = await replay('--max-turns', value);
    expect(code).toBe(2);
    expect(stderr).toContain('--max-turns must be a positive whole number');
  });
});
