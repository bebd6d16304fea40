import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readEntry, readHeader, runIds } from '../../src/journal/catalog.ts';
import { fileJournal } from '../../src/journal/file.ts';
import { runPath } from '../../src/journal/location.ts';
import { RECORD_VERSION, type RecordBody } from '../../src/journal/record.ts';
import { header, message, reply, text, toolUse } from '../helpers/records.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { linesOf } from './lines.ts';

let folder: string;
beforeEach(() => {
  folder = scratchFolder();
  mkdirSync(path.join(folder, 'runs'));
});

const put = (runId: string, ...bodies: readonly RecordBody[]): string => {
  const file = runPath(folder, runId);
  writeFileSync(file, linesOf(bodies).join(''));
  return file;
};
const USAGE = { input: 30, cacheWrite: 0, cacheRead: 0, output: 12 };
const ENDED: RecordBody = { type: 'run.ended', status: 'max_turns', turns: 7, usage: USAGE, costUsd: 0.25 };
const ANSWER = reply(1, message('end_turn', text('done')));
const CALLS = reply(1, message('tool_use', toolUse('a')));
const ASKED: RecordBody = {
  type: 'calls.reviewed',
  turn: 1,
  verdicts: [{ callId: 'a', verdict: 'ask', effect: 'effectful', fingerprint: 'f' }],
};
const GRANTED: RecordBody = { type: 'approval.granted', turn: 1, callId: 'a', fingerprint: 'f' };

describe('the ids of all runs', () => {
  it('come newest first, and from journals alone', async () => {
    for (const id of ['20260101-000000-aaaaa', '20260102-000000-aaaaa']) put(id, header());
    for (const other of ['.20260103-000000-aaaaa.jsonl', 'a.lock-1', 'notes.txt'])
      writeFileSync(path.join(folder, 'runs', other), '');
    expect(await runIds(folder)).toEqual(['20260102-000000-aaaaa', '20260101-000000-aaaaa']);
  });

  it('are none where no folder was made yet', async () => {
    expect(await runIds(path.join(folder, 'none'))).toEqual([]);
  });
});

describe('a run at a glance', () => {
  it('is told from its first and its last line, if that is its end', async () => {
    const file = put('r', header({ task: 'a task', workspace: '/w' }), ANSWER, ENDED);
    expect(await readEntry(folder, 'r')).toEqual({
      runId: 'r',
      file,
      status: 'max_turns',
      isWaiting: false,
      startedAt: '2026-11-30T09:45:12.000Z',
      task: 'a task',
      model: 'a-model',
      workspace: '/w',
      turns: 7,
      usage: USAGE,
      costUsd: 0.25,
    });
  });

  it('may have a header of any length', async () => {
    const task = 'long '.repeat(50_000);
    put('r', header({ task }), ANSWER, ENDED);
    expect(await readEntry(folder, 'r')).toMatchObject({ status: 'max_turns', task });
    expect((await readHeader(runPath(folder, 'r')))?.task).toBe(task);
  });

  it.each<readonly [string, string, readonly RecordBody[]]>([
    ['a run that nobody finished', 'interrupted', [header(), CALLS]],
    ['a header alone', 'interrupted', [header()]],
    ['a run whose call waits for an approval', 'suspended', [header(), CALLS, ASKED]],
    ['a run whose call was decided about', 'interrupted', [header(), CALLS, ASKED, GRANTED]],
    ['an answer whose end was not noted', 'answered', [header(), ANSWER]],
  ])('is folded where it has no end: %s is %s', async (_, status, bodies) => {
    put('r', ...bodies);
    const turns = bodies.length > 1 ? 1 : 0;
    expect(await readEntry(folder, 'r')).toMatchObject({ status, isWaiting: status === 'suspended', turns });
  });

  it('is folded where its end is torn', async () => {
    appendFileSync(put('r', header(), CALLS), '{"sum":"00","seq":2,"type":"run.ended","stat');
    expect(await readEntry(folder, 'r')).toMatchObject({ status: 'interrupted', turns: 1 });
  });

  it('names the lock file that tells nothing of who has it', async () => {
    const file = put('r', header());
    execFileSync('mkfifo', [file.replace(/jsonl$/, 'lock-1')]);
    expect(await readEntry(folder, 'r')).toMatchObject({
      status: 'damaged',
      problem: expect.stringMatching(/^the lock file .*r\.lock-1 cannot be used: .* remove it$/),
    });
  });

  it('is running while a live process holds it', async () => {
    const journal = fileJournal(runPath(folder, 'r'));
    journal.append(header());
    expect(await readEntry(folder, 'r')).toMatchObject({ status: 'running' });
    await journal.close();
    expect(await readEntry(folder, 'r')).toMatchObject({ status: 'interrupted' });
  });
});

describe('a file that is no journal', () => {
  it.each<readonly [string, (file: string) => void, RegExp]>([
    [
      'nothing',
      (file) => writeFileSync(file, ''),
      /^line 1: there is no record in it: the run never began, and the file can be deleted$/,
    ],
    ['zeros', (file) => writeFileSync(file, '\0'.repeat(500)), /the run never began/],
    [
      'a link that leads nowhere',
      (file) => symlinkSync('/nowhere/at/all', file),
      /^it is a link that leads nowhere/,
    ],
    ['a link to itself', (file) => symlinkSync(file, file), /^its links lead in a circle$/],
    ['something else', (file) => writeFileSync(file, 'hello\nworld\n'), /line 1/],
    ['a folder', (file) => mkdirSync(file), /no regular file|EISDIR/],
    ['a FIFO', (file) => execFileSync('mkfifo', [file]), /no regular file/],
    [
      'a newer journal',
      (file) =>
        writeFileSync(
          file,
          linesOf([header({ version: RECORD_VERSION + 1, pawl: '9.9.9' }), ENDED]).join(''),
        ),
      /newer pawl.*9\.9\.9/,
    ],
    [
      'records that make no sense',
      (file) =>
        writeFileSync(
          file,
          linesOf([header(), { type: 'results.recorded', turn: 1, callIds: ['x'], notice: null }]).join(''),
        ),
      /no result/,
    ],
  ])('is a damaged run with the reason: %s', async (_, make, problem) => {
    make(runPath(folder, 'r'));
    expect(await readEntry(folder, 'r')).toMatchObject({
      status: 'damaged',
      problem: expect.stringMatching(problem),
    });
    expect(await readHeader(runPath(folder, 'absent'))).toBeUndefined();
  });
});
