import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Followed, followJournal } from '../../src/journal/follow.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';
import { journalFile, linesOf } from './lines.ts';

const BODIES = [
  header(),
  reply(1, message('tool_use', text('ä'), toolUse('a'))),
  finished(1, 'a', 'x'.repeat(100_000)),
  recorded(1, 'a'),
  reply(2, message('end_turn', text('done'))),
];
const LINES = linesOf(BODIES);

/** Follows a file; `told` grows: numbers of records, and the names of what else is told. */
function follow(file: string) {
  const [left, ending] = [new AbortController(), new AbortController()];
  const told: (number | string)[] = [];
  const problems: string[] = [];
  const take = (found: Followed) => {
    if (found.type === 'records') told.push(...found.records.map(({ seq }) => seq));
    else told.push(found.type);
    if (found.type === 'damaged') problems.push(found.problem);
  };
  const ended = (async () => {
    for await (const found of followJournal(file, { left: left.signal, ending: ending.signal })) take(found);
  })();
  onTestFinished(() => left.abort());
  const until = async (holds: () => boolean) => {
    const deadline = performance.now() + 50_000;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`waited in vain: ${told.join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    told,
    problems,
    ended,
    left,
    ending,
    caughtUp: (times: number) => until(() => told.filter((one) => one === 'caught-up').length >= times),
  };
}

const [first = '', second = '', ...rest] = LINES;

describe('a journal that is followed', () => {
  it('tells all records, that it has caught up, and each record that is added', async () => {
    const file = journalFile(first + second);
    const reading = follow(file);
    await reading.caughtUp(1);
    for (const [index, line] of rest.entries()) {
      appendFileSync(file, line);
      await reading.caughtUp(2 + index);
    }
    expect(reading.told.filter((one) => one !== 'caught-up')).toEqual([0, 1, 2, 3, 4]);
    reading.left.abort();
    await reading.ended;
  });

  it('tells what is there and ends where nothing more will be written', async () => {
    const reading = follow(journalFile(LINES.join('')));
    reading.ending.abort();
    await reading.ended;
    expect(reading.told).toEqual([0, 1, 2, 3, 4, 'caught-up']);
  });

  it('tells what is written in the moment of the end', async () => {
    const file = journalFile(first);
    const reading = follow(file);
    await reading.caughtUp(1);
    appendFileSync(file, second);
    reading.ending.abort();
    await reading.ended;
    expect(reading.told.filter((one) => one !== 'caught-up')).toEqual([0, 1]);
  });

  it('waits for the rest of a line, wherever it is cut', async () => {
    const bytes = Buffer.from(second);
    const cuts = [1, 8, bytes.indexOf('ä') + 1, bytes.length - 1];
    for (const cut of cuts) {
      const file = journalFile(Buffer.concat([Buffer.from(first), bytes.subarray(0, cut)]));
      const reading = follow(file);
      await reading.caughtUp(1);
      expect(reading.told).toEqual([0, 'caught-up']);
      appendFileSync(file, bytes.subarray(cut));
      await reading.caughtUp(2);
      expect(reading.told).toEqual([0, 'caught-up', 1, 'caught-up']);
    }
  });

  it.each([
    ['half a line', second.slice(0, 40)],
    ['zeros', '\0'.repeat(300)],
    ['a line of zeros', `${'\0'.repeat(300)}\n`],
  ])('takes %s that the next process cuts off for no damage', async (_, torn) => {
    const file = journalFile(first + torn);
    const reading = follow(file);
    await reading.caughtUp(1);
    truncateSync(file, Buffer.byteLength(first));
    appendFileSync(file, second);
    await reading.caughtUp(2);
    expect(reading.told).toEqual([0, 'caught-up', 1, 'caught-up']);
  });

  it.each([
    [
      'was changed',
      first + second.replace('"turn":1', '"turn":2') + rest.join(''),
      'line 2: the line does not follow',
    ],
    ['is missing', first + rest.join(''), 'line 2: the line does not follow'],
    ['is no JSON in the middle', `${first}nonsense\n${second}`, 'line 2: the line is no record'],
    [
      'is damaged at the end',
      first + second.replace('"turn":1', '"turn":2'),
      'line 2: the line does not follow',
    ],
    ['is no header', 'nonsense\n', 'line 1: the line is no record'],
  ])('tells the records before a line that %s, then the damage', async (_, content, problem) => {
    const reading = follow(journalFile(content));
    await reading.ended;
    expect(reading.told.at(-1)).toBe('damaged');
    expect(reading.problems).toEqual([expect.stringContaining(problem)]);
    if (content.startsWith(first)) expect(reading.told).toEqual([0, 'damaged']);
  });

  it('tells of a newer pawl that has gone on with it', async () => {
    const [line = ''] = linesOf([header({ version: 99, pawl: '9.9.9' })]);
    const reading = follow(journalFile(line));
    await reading.ended;
    expect(reading.problems).toEqual(['line 1: it was written by a newer pawl (9.9.9)']);
  });

  it('is gone where it was deleted, where another file has its name, and where there is none', async () => {
    const [deleted, replaced] = [journalFile(first), journalFile(first)];
    const readings = [follow(deleted), follow(replaced), follow('/nowhere/at/all.jsonl')];
    await readings[0]?.caughtUp(1);
    await readings[1]?.caughtUp(1);
    rmSync(deleted);
    const other = journalFile(second);
    renameSync(other, replaced);
    for (const { ended, told } of readings) {
      await ended;
      expect(told.at(-1)).toBe('gone');
    }
  });

  it('is damaged where it was cut or is no file', async () => {
    const file = journalFile(first + second);
    const reading = follow(file);
    await reading.caughtUp(1);
    writeFileSync(file, '');
    await reading.ended;
    expect(reading.problems).toEqual(['it was cut or written anew while it was read']);
    const folder = follow('/tmp');
    await folder.ended;
    expect(folder.problems).toEqual(['it is no regular file']);
  });

  it('holds up nobody: a reader that has left ends it, also while it waits', async () => {
    const reading = follow(journalFile(first));
    await reading.caughtUp(1);
    reading.left.abort();
    await reading.ended;
    expect(reading.told).toEqual([0, 'caught-up']);
  });
});
