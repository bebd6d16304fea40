import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { CannotInstruct, forkedRecords, writeJournal } from '../../src/journal/fork.ts';
import { JournalError } from '../../src/journal/journal.ts';
import { readJournal } from '../../src/journal/read.ts';
import { type JournalRecord, RECORD_VERSION } from '../../src/journal/record.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import { header, message, reply } from '../helpers/records.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { play } from '../helpers/stage.ts';
import { PLAYS } from './plays.ts';

const FORK = { runId: 'new', pawl: '9.9.9', now: Date.parse('2026-12-01T00:00:00.000Z') };
const MADE = '2026-12-01T00:00:00.000Z';
const MORE = { ...FORK, task: 'more' };
const at = '2026-11-30T09:45:12.000Z';

describe.each(PLAYS)('a fork of $title at any record', ({ play: options }) => {
  it('has the origin’s records as they are, and is in the same state', async () => {
    const { records } = await play(options);
    for (const { seq } of records) {
      const origin = records.slice(0, seq + 1);
      const [first, ...rest] = forkedRecords(origin, FORK);
      expect(first).toEqual({ ...origin[0], runId: 'new', origin: { runId: 'a-run', seq, at: MADE } });
      expect(rest).toEqual(origin.slice(1));
      expect(verifyRecords([first as JournalRecord, ...rest])).toBeUndefined();
    }
  });
});

describe('a fork with another task', () => {
  const resumed: JournalRecord = {
    seq: 1,
    at,
    type: 'run.resumed',
    version: RECORD_VERSION,
    pawl: '0.0.1',
    workspace: '/elsewhere',
    limits: { ...DEFAULT_LIMITS, maxTurns: 7 },
    instruction: null,
  };
  const started: JournalRecord = { seq: 0, at, ...header() };

  it('has it in its header where nothing else is taken along', () => {
    expect(forkedRecords([started], MORE)).toEqual([
      { ...started, runId: 'new', origin: { runId: 'a-run', seq: 0, at: MADE }, task: 'more' },
    ]);
  });

  it('gets it as a word for the model behind the records, under the limits and in the workspace of that place', () => {
    const forked = forkedRecords([started, resumed], MORE);
    expect(forked[0]).toMatchObject({ task: 'the task' });
    expect(forked[2]).toEqual({
      ...resumed,
      seq: 2,
      at: '2026-12-01T00:00:00.000Z',
      pawl: '9.9.9',
      instruction: 'more',
    });
    expect(foldRecords(forked).transcript.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'the task' },
          { type: 'text', text: 'more' },
        ],
      },
    ]);
  });

  it('is refused where the model has paused in its turn', () => {
    const pause = message('pause_turn', { type: 'server_tool_use', id: 's', name: 'web_search' });
    expect(() => forkedRecords([started, { seq: 1, at, ...reply(1, pause) }], MORE)).toThrow(CannotInstruct);
  });
});

describe('a journal that is written whole', () => {
  const records: JournalRecord[] = [{ seq: 0, at, ...header() }];

  it('reads back, is its owner’s alone, and leaves no draft', async () => {
    const file = path.join(scratchFolder(), 'made', 'runs', 'new.jsonl');
    writeJournal(file, records);
    expect(await readJournal(file)).toEqual({ records, tornBytes: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(['new.jsonl']);
  });

  it('never takes the place of another', async () => {
    const file = path.join(scratchFolder(), 'new.jsonl');
    writeJournal(file, records);
    expect(() => writeJournal(file, [])).toThrow(JournalError);
    expect((await readJournal(file)).records).toEqual(records);
    expect(readdirSync(path.dirname(file))).toEqual(['new.jsonl']);
  });

  it('cannot be made where there are no files', () => {
    expect(() => writeJournal('/proc/pawl/runs/new.jsonl', records)).toThrow(JournalError);
  });
});
