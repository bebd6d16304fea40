import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import stringWidth from 'fast-string-width';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { age, inShort, tableLines } from '../../src/cli/run-table.ts';
import { styleOf } from '../../src/cli/style.ts';
import type { RunEntry } from '../../src/journal/catalog.ts';
import { header } from '../helpers/records.ts';
import { ANSWERED, ID, Journals } from './journals.ts';
import { Place } from './support.ts';

let place: Place;
let journals: Journals;
beforeEach(() => {
  place = new Place();
  journals = new Journals(place);
});
afterEach(() => place.remove());

const LATER = '20261201-000000-bbbbb';

describe('the list of runs', () => {
  it('is empty where there are none, with or without a folder', async () => {
    const empty = await place.pawl(['runs']);
    rmSync(journals.folder, { recursive: true });
    const missing = await place.pawl(['runs', '--json']);
    expect(empty).toEqual({ code: 0, stdout: '', stderr: `There are no runs in ${journals.folder}.\n` });
    expect(missing).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('has a row for each, newest first, and none is lost by a damaged one', async () => {
    journals.put();
    journals.put([header()], LATER);
    writeFileSync(journals.file('20261202-000000-ccccc'), 'nonsense\n');
    const { code, stdout, stderr } = await place.pawl(['runs']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = stdout.split('\n').map((line) => line.split(/\s{2,}/).filter((_, column) => column !== 1));
    expect(rows[0]).toEqual(['run', 'status', 'turns', 'tokens', 'cost', 'task']);
    expect(rows[1]?.slice(0, 2)).toEqual(['20261202-000000-ccccc', 'damaged']);
    expect(rows[2]?.slice(0, 2)).toEqual([LATER, 'interrupted']);
    expect(rows[3]).toEqual([ID, 'answered', '2', '10', '-', 'count them']);
  });

  it('says of what is no journal why, and of a strange lock file which one it is; nothing holds it up', async () => {
    symlinkSync('/nowhere/at/all', journals.file('d'));
    writeFileSync(journals.file('c'), '');
    writeFileSync(journals.file('b'), '\0'.repeat(300));
    journals.put([header({ runId: 'a' })], 'a');
    const lock = journals.file('a').replace(/jsonl$/, 'lock-1');
    execFileSync('mkfifo', [lock]);
    const entries = JSON.parse((await place.pawl(['runs', '--json'])).stdout) as { problem: string }[];
    expect(entries.map(({ problem }) => problem)).toEqual([
      'it is a link that leads nowhere, or was just removed',
      ...Array(2).fill('line 1: there is no record in it: the run never began, and the file can be deleted'),
      `the lock file ${lock} cannot be used: it is no regular file. If no process has this run, remove it`,
    ]);
    for (const command of ['show', 'resume', 'log']) {
      const { code, stderr } = await place.pawl([command, 'd']);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('it is a link that leads nowhere'),
      });
    }
    for (const command of ['show', 'resume']) {
      const { code, stderr } = await place.pawl([command, 'a']);
      expect({ code, stderr }).toEqual({
        code: 50,
        stderr: expect.stringContaining(`the lock file ${lock} cannot be used`),
      });
    }
  });

  it('is narrowed to a status', async () => {
    journals.put();
    journals.put([header()], LATER);
    const { stdout } = await place.pawl(['runs', '--status', 'interrupted', '--json']);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        run_id: LATER,
        status: 'interrupted',
        num_turns: 0,
        tokens: 0,
        cost_usd: null,
        problem: null,
        started_at: '2026-11-30T09:45:12.000Z',
        task: 'the task',
        journal: journals.file(LATER),
      }),
    ]);
    const none = await place.pawl(['runs', '--status', 'stuck']);
    expect(none).toMatchObject({
      code: 0,
      stderr: `There are no runs with status stuck in ${journals.folder}.\n`,
    });
    const wrong = await place.pawl(['runs', '--status', 'done']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('--status must be one of answered, max_turns');
  });

  it('is cut after 20 rows for people, says how many more there are, and is whole for scripts', async () => {
    for (let n = 10; n < 35; n += 1) journals.put(ANSWERED, `run-${n}`);
    const [text, some, json] = await Promise.all([
      place.pawl(['runs']),
      place.pawl(['runs', '--status', 'answered', '--limit', '3']),
      place.pawl(['runs', '--json']),
    ]);
    expect(text.stdout.split('\n')).toHaveLength(22);
    expect(text.stderr).toBe('5 older runs not shown. More: --limit 25\n');
    expect(some.stderr).toBe('22 older runs with status answered not shown. More: --limit 25\n');
    expect(JSON.parse(json.stdout)).toHaveLength(25);
  });
});

describe('the table', () => {
  const NOW = Date.parse('2026-11-30T10:00:00.000Z');
  const run = (changes: object): RunEntry => ({
    runId: ID,
    file: '/f',
    status: 'answered',
    isWaiting: false,
    startedAt: '2026-11-30T09:45:12.000Z',
    task: 't',
    model: 'm',
    workspace: '/w',
    turns: 3,
    usage: { input: 12_345, cacheWrite: 0, cacheRead: 0, output: 0 },
    costUsd: 0.5,
    ...changes,
  });
  const linesAt = (width: number, ...entries: readonly RunEntry[]) =>
    tableLines(entries, NOW, width, styleOf(false));
  const lines = (...entries: readonly RunEntry[]) => linesAt(80, ...entries);

  it('shows a task in one printable line that fits, also where characters are wide', () => {
    const [, long, wide] = lines(run({ task: 'x\u001b[31m\n'.repeat(40) }), run({ task: '数'.repeat(40) }));
    expect(long).toMatch(/ \$0\.50 {2}x\\x1b.*…$/);
    expect(long?.length).toBe(80);
    expect(wide).toMatch(/数…$/);
    expect(stringWidth(wide ?? '')).toBeLessThanOrEqual(80);
  });

  it('keeps its columns', () => {
    expect(lines(run({}), run({ status: 'max_tool_calls', turns: 40 }))).toEqual([
      'run                       age  status          turns  tokens   cost  task',
      `${ID}  14 min  answered            3   12.3k  $0.50  t`,
      `${ID}  14 min  max_tool_calls     40   12.3k  $0.50  t`,
    ]);
  });

  it.each([
    [80, 'run age status turns tokens cost task'],
    [70, 'run age status turns tokens task'],
    [60, 'run age status turns task'],
    [55, 'run age status task'],
    [45, 'run status task'],
    [40, 'run status task'],
  ])('at %d columns has those that there is room for: %s', (width, columns) => {
    const shown = linesAt(
      width,
      run({ task: 'long '.repeat(40) }),
      run({ status: 'running', task: '数'.repeat(40) }),
    );
    expect(shown[0]?.trim().split(/ +/).join(' ')).toBe(columns);
    for (const line of shown) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });

  it('says of a fork how long ago it was made, and not how old its records are', async () => {
    journals.put([header({ runId: ID, origin: { runId: 'a', seq: 0, at: new Date().toISOString() } })]);
    expect((await place.pawl(['runs'])).stdout).toMatch(new RegExp(`^${ID} +\\d s `, 'm'));
  });

  it('leaves no line to be wrapped by an id that somebody made up', () => {
    for (const line of linesAt(60, run({ runId: 'x'.repeat(250) }), run({})))
      expect(line.length).toBeLessThanOrEqual(60);
  });

  it('is as wide as the terminal, and whole where there is none', async () => {
    journals.put([header({ runId: ID, task: 'long '.repeat(60) })]);
    const { shown } = await place.terminal(['runs'], [], 40);
    expect(Math.max(...shown.split('\r\n').map((line) => stringWidth(line)))).toBe(40);
    const { stdout } = await place.pawl(['runs']);
    expect(stdout).toContain(`${'long '.repeat(60).trim()}\n`);
  });

  it.each([
    [0, '0 s'],
    [-5, '0 s'],
    [59_999, '59 s'],
    [3_599_999, '59 min'],
    [172_799_999, '47 h'],
    [172_800_000, '2 d'],
    [Number.NaN, '?'],
  ])('tells %d ms as %s', (ms, words) => {
    expect(age(ms)).toBe(words);
  });

  it.each([
    [999, '999'],
    [1_000, '1.0k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [12_345_678, '12.3M'],
  ])('tells %d tokens as %s', (count, words) => {
    expect(inShort(count)).toBe(words);
  });
});
