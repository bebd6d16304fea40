import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { fileJournal } from '../../src/journal/file.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { header, message, reply, toolUse } from '../helpers/records.ts';
import { ANSWERED, ID, Journals } from './journals.ts';
import { Place } from './support.ts';

let place: Place;
let journals: Journals;
beforeEach(() => {
  place = new Place();
  journals = new Journals(place);
});
afterEach(() => place.remove());

const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await place.pawl(['show', ...args, '--json']);
  return { code, stderr, state: JSON.parse(stdout) };
};

describe('the run that is meant', () => {
  it('is named by its id, by a beginning that no other has, or by its path', async () => {
    journals.put();
    journals.put(ANSWERED, '20261201-000000-bbbbb');
    const found = await Promise.all([ID, '20261130', journals.file()].map((name) => json(name)));
    expect(found.map(({ state }) => state.journal)).toEqual(Array(3).fill(journals.file()));
  });

  it('is an exact id before it is a beginning', async () => {
    journals.put(ANSWERED, 'a');
    journals.put(ANSWERED, 'ab');
    expect((await json('a')).state.journal).toBe(journals.file('a'));
  });

  it('must be one: otherwise all that might be meant are named', async () => {
    journals.put();
    journals.put(ANSWERED, '20261130-094512-bbbbb');
    const { code, stdout, stderr } = await place.pawl(['show', '20261130']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `pawl: 2 runs begin with "20261130": 20261130-094512-bbbbb, ${ID}. Give more of the id.\n`,
    );
  });

  it('is told back in short where there is none, however long it is', async () => {
    for (const [name, told] of [
      ['x'.repeat(5_000), /^pawl: There is no run "x{99}…": /],
      [
        `./${'x'.repeat(5_000)}`,
        /^pawl: The run "\.\/x{97}…" cannot be read from .*…: the name is longer than the system/,
      ],
    ] as const) {
      const { code, stderr } = await place.pawl(['show', name]);
      expect(code).toBe(2);
      expect(stderr).toMatch(told);
    }
  });

  it('is missing: the last ones are named, or the folder that holds none', async () => {
    const none = await place.pawl(['show', 'x']);
    journals.put();
    const some = await place.pawl(['show', 'x']);
    expect([none.code, some.code]).toEqual([2, 2]);
    expect(none.stderr).toContain(`There is no run "x": ${journals.folder} holds none. Give the id of a run`);
    expect(some.stderr).toContain(`There is no run "x": the last ones are ${ID} (all: pawl runs)`);
  });
});

describe('the state of a run', () => {
  it('is that of its last record, or that at any earlier one', async () => {
    journals.put();
    const [last, early] = [await json(ID), await json(ID, '--at', '3')];
    expect(last).toMatchObject({ code: 0, stderr: '' });
    expect(last.state).toMatchObject({
      status: 'answered',
      at: 7,
      records: 8,
      num_turns: 2,
      last_text: 'three',
    });
    expect(early.state).toMatchObject({
      status: null,
      state: 'executing.running',
      at: 3,
      num_turns: 1,
      last_text: 'I look.',
      open_calls: [{ id: 'a', name: 'bash', progress: 'started' }],
    });
    const { stdout } = await place.pawl(['show', ID, '--at', '3']);
    expect(stdout).toMatch(/^state +executing\.running \(at record 3 of 7\)$/m);
  });

  it.each(['8', '-1', '1.5', 'x'])('is asked for at no record that the run does not have: %s', async (at) => {
    journals.put();
    const { code, stdout, stderr } = await place.pawl(['show', ID, `--at=${at}`]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`from 0 to 7 (the last record of this run), not "${at}"`);
  });

  it('says how to go on where nobody does, and who does otherwise', async () => {
    const journal = fileJournal(journals.file());
    journal.append(header({ runId: ID }));
    const running = await place.pawl(['show', ID]);
    const held = await json(ID);
    await journal.close();
    const interrupted = await place.pawl(['show', ID]);
    expect(running.stdout).toMatch(
      new RegExp(`^state +asking\\.requesting \\(running, process ${process.pid}\\)$`, 'm'),
    );
    expect(held.state.held_by).toBe(process.pid);
    expect(interrupted.stdout).toMatch(
      new RegExp(`^state +asking\\.requesting \\(interrupted; go on with: pawl resume ${ID}\\)$`, 'm'),
    );
    expect((await json(ID)).state.held_by).toBeNull();
  });

  it('has the status that the list of runs gives it, whatever it waits for', async () => {
    const asks = { callId: 'a', verdict: 'ask', effect: 'effectful', fingerprint: 'a' } as const;
    const waits: RecordBody[] = [
      ...ANSWERED.slice(0, 2),
      { type: 'calls.reviewed', turn: 1, verdicts: [asks] },
    ];
    journals.put(ANSWERED, 'a');
    journals.put(ANSWERED.slice(0, 4), 'b');
    journals.put(waits, 'c');
    journals.put(ANSWERED.slice(0, -1), 'd');
    journals.damage(5, 'd');
    const held = fileJournal(journals.file('e'));
    for (const body of waits) held.append(body);
    const listed = JSON.parse((await place.pawl(['runs', '--json'])).stdout) as { run_id: string }[];
    const shown = [];
    for (const { run_id } of listed) shown.push((await json(run_id)).state.status);
    await held.close();
    expect(listed).toMatchObject(
      ['running', 'damaged', 'suspended', 'interrupted', 'answered'].map((status) => ({ status })),
    );
    expect(shown).toEqual(['running', 'damaged', 'suspended', 'interrupted', 'answered']);
  });

  it('tells what a request that broke off may have taken, beside what was spent', async () => {
    journals.put([
      header({ runId: ID, limits: { ...DEFAULT_LIMITS, tokenBudget: 90_000 } }),
      {
        type: 'prompt.measured',
        turn: 1,
        attempt: 1,
        forecast: { inputTokens: 1_000, inputUsd: 0, outputUsd: 0 },
        isExact: false,
      },
      {
        type: 'attempt.failed',
        turn: 1,
        attempt: 1,
        failure: { kind: 'interrupted', message: 'cut', retryable: true, delayMs: 1, unsettled: true },
      },
    ]);
    const { state } = await json(ID);
    const most = 1_000 + DEFAULT_LIMITS.maxOutputTokens;
    expect(state).toMatchObject({ tokens: 0, unsettled: { tokens: most } });
    const { stdout } = await place.pawl(['show', ID]);
    expect(stdout).toMatch(/^perhaps +up to 17,384 tokens more for replies that broke off$/m);
  });

  it('tells where a fork comes from and how often a run was taken up again', async () => {
    const resumed = {
      type: 'run.resumed',
      version: 1,
      pawl: '0.0.0',
      workspace: '/new',
      limits: DEFAULT_LIMITS,
      instruction: null,
    } as const;
    journals.put([header({ runId: ID, origin: { runId: 'first', seq: 4 } }), resumed, resumed]);
    const { state } = await json(ID);
    expect(state).toMatchObject({ origin: { run_id: 'first', seq: 4 }, resumes: 2, workspace: '/new' });
    const { stdout } = await place.pawl(['show', ID]);
    expect(stdout).toMatch(/^origin +first at record 4$/m);
    expect(stdout).toMatch(/^resumed +2 times$/m);
  });
});

describe('on a narrow terminal', () => {
  it('texts are shortened to it, the rest is broken between words, and paths are whole, to be copied', async () => {
    const workspace = `/${'deep/'.repeat(20)}end`;
    journals.put([
      header({ runId: ID, task: 'long '.repeat(40), workspace }),
      reply(1, message('tool_use', toolUse('t'.repeat(60), 'bash'.repeat(10)))),
    ]);
    const { shown } = await place.terminal(['show', ID], [], 40);
    const rows = shown.trimEnd().split('\r\n');
    const texts = rows.filter((row) => !/^(journal|workspace) /.test(row));
    expect(Math.max(...texts.map((row) => row.length))).toBeLessThanOrEqual(40);
    expect(rows).toContain(`journal    ${journals.file()}`);
    expect(rows).toContain(`workspace  ${workspace}`);
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(`(interrupted; go on with: pawl resume ${ID})`);
  });
});

describe('a damaged journal', () => {
  it('is shown up to the damage, which is told with its line', async () => {
    journals.put();
    journals.damage(5);
    const { code, stdout, stderr } = await place.pawl(['show', ID]);
    expect(code).toBe(50);
    expect(stdout).toMatch(/^state +executing\.running \(the last one known\)$/m);
    expect(stderr).toMatch(
      /^error: .*aaaaa\.jsonl, line 5: .* 4 records before it are sound: pawl fork 2\S+ --at 3 goes on from there\.\n$/,
    );
    const { state } = await json(ID);
    expect(state).toMatchObject({ at: 3, records: 4, damage: { line: 5, reason: 'bad-checksum' } });
  });

  it('shows nothing where nothing is sound', async () => {
    journals.put();
    journals.damage(1);
    const { code, stdout, stderr } = await place.pawl(['show', ID]);
    expect({ code, stdout }).toEqual({ code: 50, stdout: '' });
    expect(stderr).toMatch(/^error: .*, line 1: [^\n]*\n$/);
  });

  it('of a newer pawl is refused with its version', async () => {
    journals.put([header({ version: 99, pawl: '9.9.9' })]);
    const { code, stdout, stderr } = await place.pawl(['show', ID]);
    expect({ code, stdout }).toEqual({ code: 50, stdout: '' });
    expect(stderr).toContain('it was written by a newer pawl (9.9.9)');
  });

  it('with a torn end is shown without it', async () => {
    journals.put();
    journals.append('{"sum":"0');
    const { code, stdout } = await place.pawl(['show', ID]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^torn +9 bytes/m);
  });
});
