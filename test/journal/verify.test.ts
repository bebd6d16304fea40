import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import { playChecked } from '../helpers/checked.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';
import { play } from '../helpers/stage.ts';
import { CHECKED_PLAYS, PLAYS } from './plays.ts';

const numbered = (...bodies: readonly RecordBody[]): JournalRecord[] =>
  bodies.map((body, seq) => ({ seq, at: '2026-11-30T09:45:12.000Z', ...body }));

const reviewed = (callId: string): RecordBody => ({
  type: 'calls.reviewed',
  turn: 1,
  verdicts: [{ callId, verdict: 'approve', effect: 'read', fingerprint: callId }],
});
const asked = (callId: string): RecordBody => ({
  type: 'calls.reviewed',
  turn: 1,
  verdicts: [{ callId, verdict: 'ask', effect: 'effectful', fingerprint: `${callId} asked` }],
});
const started = (callId: string, turn = 1): RecordBody => ({ type: 'tool.started', turn, callId });
const ended = (changes: object = {}): RecordBody => ({
  type: 'run.ended',
  status: 'answered',
  turns: 2,
  usage: { input: 6, cacheWrite: 0, cacheRead: 0, output: 4 },
  costUsd: 0,
  ...changes,
});

/** A run of one call and an answer. */
const SOUND: readonly RecordBody[] = [
  header(),
  reply(1, message('tool_use', toolUse('a'))),
  reviewed('a'),
  started('a'),
  finished(1, 'a', 'seen'),
  recorded(1, 'a'),
  reply(2, message('end_turn', text('done'))),
  ended(),
];

/** The run with another record, or several, in one place. */
const doctored = (seq: number, ...instead: readonly RecordBody[]): JournalRecord[] =>
  numbered(...SOUND.slice(0, seq), ...instead, ...SOUND.slice(seq + 1));

describe.each(PLAYS)('a record of $title', ({ play: options }) => {
  it('is true to the machine, in each beginning of it', async () => {
    const { records } = await play(options);
    for (const { seq } of records) expect(verifyRecords(records.slice(0, seq + 1))).toBeUndefined();
  });
});

describe('a run that was taken up again', () => {
  const resumed = (instruction: string | null): RecordBody => ({
    type: 'run.resumed',
    version: 1,
    pawl: '0.0.0',
    workspace: '/elsewhere',
    limits: { ...DEFAULT_LIMITS, maxTurns: 60 },
    instruction,
  });

  it('is true in the middle and behind its end', () => {
    const middle = [...SOUND.slice(0, 4), resumed(null), ...SOUND.slice(4)];
    const behind = [...SOUND, resumed('more'), reply(3, message('end_turn', text('more')))];
    expect(verifyRecords(numbered(...middle))).toBeUndefined();
    expect(verifyRecords(numbered(...behind))).toBeUndefined();
  });
});

describe('a record that the machine would not have led to is named', () => {
  it('when the run is sound there is none', () => {
    expect(verifyRecords(numbered(...SOUND))).toBeUndefined();
  });

  it.each<readonly [string, JournalRecord[], number, RegExp]>([
    ['a call that was run without a verdict', doctored(2), 2, /takes no tool\.started in .*reviewing/],
    ['a call that nobody made', doctored(3, started('b')), 3, /has no call b/],
    ['a call of another turn', doctored(3, started('a', 4)), 3, /takes no tool\.started/],
    ['results that are saved before the call', doctored(4, recorded(1, 'a')), 4, /no outcome|takes no/],
    ['a second header', doctored(3, header()), 3, /begins once/],
    [
      'a reply behind the end',
      [...numbered(...SOUND, reply(3, message('end_turn', text('x'))))],
      8,
      /had ended as answered/,
    ],
    [
      'a decision about another input than that of the call',
      numbered(...SOUND.slice(0, 2), asked('a'), {
        type: 'approval.granted',
        turn: 1,
        callId: 'a',
        fingerprint: 'b asked',
      }),
      3,
      /decides about another input than that of the call a/,
    ],
    ['results of other calls', doctored(5, recorded(1, 'b')), 5, /something else/],
  ])('%s', (_, records, seq, problem) => {
    expect(verifyRecords(records)).toMatchObject({ seq, problem: expect.stringMatching(problem) });
  });

  it.each([
    [{ status: 'max_turns' }, 'status', 'max_turns', 'answered'],
    [{ turns: 3 }, 'turns', 3, 2],
    [{ costUsd: 9 }, 'costUsd', 9, 0],
    [{ usage: { input: 7, cacheWrite: 0, cacheRead: 0, output: 4 } }, 'usage.input', 7, 6],
  ])('an end with %j, with what the fold has', (changes, path, left, right) => {
    expect(verifyRecords(doctored(7, ended(changes)))).toMatchObject({
      seq: 7,
      differences: [{ path, left, right }],
    });
  });

  it('problems that were recorded for a reply and are none, field by field', () => {
    const found = verifyRecords(doctored(6, { ...SOUND[6], problems: ['odd'] } as RecordBody));
    expect(found?.differences).toEqual([{ path: 'problems[0]', left: 'odd', right: undefined }]);
  });

  it('another word than the one that an empty reply is answered with', async () => {
    const { records } = await play({ replies: [{ content: [] }, { text: 'done' }] });
    expect(verifyRecords(records)).toBeUndefined();
    const other = records.map((record) =>
      record.type === 'nudge.recorded' ? { ...record, text: 'Stop.' } : record,
    );
    expect(verifyRecords(other)).toMatchObject({ type: 'nudge.recorded', differences: [{ left: 'Stop.' }] });
  });

  it('a stop for a limit that is not reached', async () => {
    const limit = PLAYS.find(({ status }) => status === 'max_turns');
    if (limit === undefined) throw new Error('no such play');
    const { records } = await play(limit.play);
    const looser = records.map((record) =>
      record.type === 'run.started' ? { ...record, limits: DEFAULT_LIMITS } : record,
    );
    const closing = records.find(({ type }) => type === 'run.closing');
    expect(verifyRecords(looser)).toMatchObject({ seq: closing?.seq, type: 'run.closing' });
  });
});

describe('a record of a run whose answers are checked', () => {
  it.each(CHECKED_PLAYS)('is true to the machines: $title', async ({ play: options, status }) => {
    const { records, outcome } = await playChecked(options);
    expect(outcome.status).toBe(status);
    for (const { seq } of records) expect(verifyRecords(records.slice(0, seq + 1))).toBeUndefined();
  });

  const changed = async (change: (records: JournalRecord[]) => void) => {
    const { records } = await playChecked({ replies: [{ text: 'a' }, { text: 'b' }], codes: [1, 0] });
    const copy = structuredClone(records) as JournalRecord[];
    change(copy);
    return verifyRecords(copy.map((record, seq) => ({ ...record, seq })));
  };

  it.each<[string, (records: JournalRecord[]) => void, object]>([
    [
      'says something else to the model',
      (records) => Object.assign(records[3] ?? {}, { instruction: 'Well done.' }),
      { seq: 3, type: 'repair.started', differences: [{ path: 'instruction', left: 'Well done.' }] },
    ],
    [
      'has a check that passed, and mends all the same',
      (records) => Object.assign(records[2] ?? {}, { passed: true }),
      { seq: 3, type: 'repair.started', state: 'answered', problem: 'the run had ended as answered' },
    ],
    [
      'has a check before there is an answer',
      (records) => void records.splice(1, 1),
      { seq: 1, state: 'asking.requesting', problem: expect.stringContaining('takes no check.finished') },
    ],
    [
      'ends without its check',
      (records) => void records.splice(5, 1),
      { seq: 5, type: 'run.ended', state: 'verifying' },
    ],
  ])('is found out where it %s', async (_, change, found) => {
    expect(await changed(change)).toMatchObject(found);
  });
});
