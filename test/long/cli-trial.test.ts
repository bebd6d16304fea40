/** `pawl trial` with real files and processes, over a script that goes another way in each run. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunPlace } from '../cli/resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
  mkdirSync(place.file('project'));
  mkdirSync(place.file('tmp'));
  writeFileSync(place.file('project/app.txt'), 'broken\n');
});
afterEach(() => place.remove());

/** Every third run does the wrong thing, every fifth is cut by a limit. Modules are loaded once, so the runs are counted. */
const VARYING = `
let run = 0;
export default (request, n) => {
  if (n === 1) run += 1;
  if (request.toolsOff) return { text: 'so far' };
  if (run % 5 === 0) return { calls: [{ name: 'list_files', input: {} }] };
  const text = run % 3 === 0 ? 'worse' : 'fixed';
  const input = { path: 'app.txt', content: text };
  if (n === 1) return { calls: [{ name: 'write_file', input }] };
  return { text: 'done', usage: { input_tokens: 100 * run, output_tokens: 1 } };
};
`;
const trial = (...flags: string[]) =>
  place.pawl(['trial', '--script', 's.mjs', '--yes', '-C', 'project', ...flags, 'fix it'], {
    TMPDIR: place.file('tmp'),
  });

describe('a trial of ten runs', () => {
  it('tells how many passed, with intervals, spread, statuses and where they part, and leaves the folder as it was', async () => {
    place.write('s.mjs', VARYING);
    const flags = [
      '--runs',
      '10',
      '--concurrency',
      '1',
      '--check',
      'grep -q fixed app.txt',
      '--max-turns',
      '4',
      '--json',
    ];
    const { code, stdout, stderr } = await trial(...flags);
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({
      runs_counted: 10,
      passed: 5,
      turns: { min: 2, median: 2, max: 4 },
      tokens: { min: 10 },
      statuses: { answered: 5, unverified: 3, max_turns: 2 },
      first_parting: { runs: [1, 3], record: 1 },
      total_cost_usd: null,
    });
    expect(found.pass.map(({ k }: { k: number }) => k)).toEqual([1, 2, 3, 5, 10]);
    expect(found.pass[0]).toMatchObject({ pass_at_k: 0.5, pass_hat_k: 0.5 });
    expect(found.pass[4]).toMatchObject({ pass_at_k: 1, pass_hat_k: 0 });
    expect(found.runs[1]).toMatchObject({ status: 'answered', passed: true, parts_at: null });
    expect(found.runs[4]).toMatchObject({ status: 'max_turns', passed: false, parts_at: 1 });
    expect(stderr).toMatch(/^run 3 of 10: unverified · 2 turns · /m);
    expect(place.read('project/app.txt')).toBe('broken\n');
    expect(place.ids).toHaveLength(10);
    expect(readdirSync(place.file('tmp'))).toEqual([]);
  });

  it('is a table for people', async () => {
    place.write('s.mjs', VARYING);
    const { stdout } = await trial('--runs', '3', '--concurrency', '3', '--check', 'grep -q fixed app.txt');
    expect(stdout).toMatch(/^1 +67 % +21–94 % +67 % +21–94 %$/m);
    expect(stdout).toMatch(/^turns +2 +2 +2$/m);
    expect(stdout).toMatch(/^The first record in which runs part is 1, in the runs \d and \d:$/m);
    expect(stdout).toMatch(/^answered 2, unverified 1\n2 of 3 runs passed\n$/m);
  });
});

describe('a trial that is not made to its end', () => {
  it('by a Ctrl-C ends in order, counts no run that was cancelled, and tells what is there', async () => {
    place.write(
      's.mjs',
      [
        'let run = 0;',
        'export default (request, n) => {',
        '  run += 1;',
        "  return run === 1 ? { text: 'done' } : { delay_ms: 60000, text: 'late' };",
        '};',
      ].join('\n'),
    );
    const { child, finished } = place.start([
      ...['trial', '--script', 's.mjs', '--runs', '5', '--concurrency', '1', '--json', '-C', 'project', 't'],
    ]);
    await place.until(() => place.ids.length === 2);
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      runs_wanted: 5,
      runs_started: 2,
      runs_counted: 1,
      passed: 1,
      statuses: { answered: 1, cancelled: 1 },
    });
  });

  it('by its money: the total is never passed, and what was not started is told', async () => {
    place.write('prices.json', { scripted: { input: 1_000, output: 1_000 } });
    place.write(
      's.mjs',
      "export default () => ({ text: 'done', usage: { input_tokens: 500, output_tokens: 100 } });",
    );
    const priced = ['--prices', 'prices.json', '--runs', '6', '--json', '--concurrency', '2'];
    const { code, stdout, stderr } = await trial(
      ...priced,
      '--max-budget-usd',
      '40',
      '--max-total-usd',
      '81',
    );
    expect(stderr).toContain('Each run may spend $40.00, 6 runs at most $81.00 together.');
    const found = JSON.parse(stdout);
    expect(found.total_cost_usd).toBeLessThanOrEqual(81);
    expect(found.runs_started).toBeGreaterThan(1);
    expect(code).toBe(found.runs_started === 6 ? 0 : 12);
  });
});

describe('a check that cannot be started', () => {
  it.each([
    ['no-such-program --flag', 127, 'no-such-program'],
    ['./app.txt', 126, 'Permission denied'],
  ])('%s is an error of the trial: no run is counted, and no other one begun', async (check, code, words) => {
    place.write('s.mjs', "export default () => ({ text: 'done' });");
    const flags = ['--runs', '4', '--concurrency', '1', '--json', '--check', check];
    const ended = await trial(...flags);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ...{ exit_code: 1, runs_wanted: 4, runs_started: 1, runs_counted: 0, passed: 0, pass: [] },
      statuses: { check_error: 1 },
      runs: [{ status: 'check_error', passed: false, errors: [expect.stringContaining(words)] }],
    });
    expect(ended.stderr).toContain(`The check could not be started (exit code ${code}): ${check}. It said: `);
  });
});

describe('the copies', () => {
  it('have hidden files and links that stay inside; what leads away is left out and named', async () => {
    writeFileSync(place.file('project/.hidden'), 'seen');
    symlinkSync('.hidden', place.file('project/link'));
    symlinkSync('/etc/hostname', place.file('project/away'));
    place.write('s.mjs', "export default () => ({ text: 'done' });");
    const check = 'test "$(cat link)" = seen && test ! -e away';
    const { stdout, stderr } = await trial('--runs', '1', '--json', '--check', check);
    expect(JSON.parse(stdout)).toMatchObject({ passed: 1 });
    expect(stderr).toContain(`${path.join(place.file('project'), 'away')} is not copied`);
  });
});

describe('a wrong command line', () => {
  it.each([
    [['--runs', '0'], '--runs must be a positive whole number'],
    [['--check', 'x', '--verify', 'y'], 'give one of the two'],
    [['--check', ' '], '--check must not be empty'],
    [['--max-total-usd', '2'], 'no price is known for the model scripted'],
  ])('%j is refused', async (flags, message) => {
    place.write('s.mjs', 'export default () => ({ text: "done" });');
    const { code, stdout, stderr } = await trial(...flags);
    expect(stderr.split('\n').at(-2)).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
