import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileJournal, reopenJournal } from '../../src/journal/file.ts';
import { type Journal, JournalCorrupt, JournalError, JournalHeld } from '../../src/journal/journal.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { finished, header, recorded } from '../helpers/records.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { journalFile, linesOf } from './lines.ts';
import { DEAD, filesBeside, journalPlace, lockPath, startHolder, writeLock } from './locks.ts';

const BODIES: readonly RecordBody[] = [header(), finished(1, 'a', 'x'.repeat(200)), recorded(1, 'a')];
const LINES = linesOf(BODIES);
const WHOLE = LINES.join('');
const seqsOf = (records: readonly { seq: number }[]) => records.map(({ seq }) => seq);

describe('a journal that is opened again', () => {
  it('gives its records and goes on behind them', async () => {
    const file = journalFile(WHOLE);
    const { journal, records, tornBytes } = await reopenJournal(file, () => 0);
    expect(tornBytes).toBe(0);
    expect(records).toEqual((await readJournal(file)).records);
    expect(journal.location).toBe(file);
    expect(journal.append(recorded(2))).toEqual({ seq: 3, at: '1970-01-01T00:00:00.000Z', ...recorded(2) });
    await journal.sync();
    expect(readFileSync(file, 'utf8').startsWith(WHOLE)).toBe(true);
    expect(seqsOf((await readJournal(file)).records)).toEqual([0, 1, 2, 3]);
  });

  it('may be opened again and again', async () => {
    const file = journalPlace();
    let journal: Journal = fileJournal(file);
    journal.append(header());
    for (let round = 1; round <= 3; round += 1) {
      await journal.close();
      const opened = await reopenJournal(file);
      expect(opened.records).toHaveLength(round);
      ({ journal } = opened);
      journal.append(recorded(round));
    }
    await journal.close();
    expect(seqsOf((await readJournal(file)).records)).toEqual([0, 1, 2, 3]);
    expect(filesBeside(file)).toEqual(['a-run.jsonl']);
  });

  it.each([1, 10, 100])('loses a torn end of %i bytes before anything is appended', async (torn) => {
    const next = linesOf([...BODIES, finished(2, 'b', 'y'.repeat(200))]).at(-1) ?? '';
    const file = journalFile(WHOLE + next.slice(0, torn));
    const opened = await reopenJournal(file);
    expect(opened.tornBytes).toBe(torn);
    expect(readFileSync(file, 'utf8')).toBe(WHOLE);
    opened.journal.append(recorded(2));
    await opened.journal.close();
    const { records, tornBytes } = await readJournal(file);
    expect({ seqs: seqsOf(records), tornBytes }).toEqual({ seqs: [0, 1, 2, 3], tornBytes: 0 });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([0, 1, 2, 3]);
  });

  it.each([1, 10, 100])('loses the last record if %i of its bytes are missing', async (missing) => {
    const file = journalFile(
      linesOf([...BODIES, finished(2, 'b', 'y')])
        .join('')
        .slice(0, -missing),
    );
    const { journal, records } = await reopenJournal(file);
    expect(seqsOf(records)).toEqual([0, 1, 2]);
    journal.append(recorded(2));
    await journal.close();
    expect((await readJournal(file)).records.at(-1)).toMatchObject({ seq: 3, type: 'results.recorded' });
  });

  it('is found through a link, and locked where it is', async () => {
    const file = journalFile(WHOLE);
    const link = path.join(scratchFolder(), 'link.jsonl');
    symlinkSync(file, link);
    await reopenJournal(link);
    await expect(reopenJournal(file)).rejects.toBeInstanceOf(JournalHeld);
  });

  it('keeps its rights and those of its folder', async () => {
    const file = journalFile(WHOLE);
    chmodSync(path.dirname(file), 0o755);
    chmodSync(file, 0o600);
    await (await reopenJournal(file)).journal.close();
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o755);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('a journal that cannot be opened again', () => {
  const refusal = async (file: string) => {
    const error: unknown = await reopenJournal(file).catch((error: unknown) => error);
    expect(filesBeside(file).filter((name) => name.includes('.lock-'))).toEqual([]);
    return error;
  };

  it('is damaged in the middle: it stays as it is, torn end and all', async () => {
    const damaged = `${WHOLE.replace('"x', '"y').replace('xxx', 'xyx')}{"half`;
    const file = journalFile(damaged);
    expect(await refusal(file)).toMatchObject({ name: 'JournalCorrupt', line: 2, reason: 'bad-checksum' });
    expect(readFileSync(file, 'utf8')).toBe(damaged);
  });

  it('is empty, or has no whole record', async () => {
    expect(await refusal(journalFile(''))).toBeInstanceOf(JournalCorrupt);
    expect(await refusal(journalFile(LINES[0]?.slice(0, 50) ?? ''))).toBeInstanceOf(JournalCorrupt);
  });

  it('is not there', async () => {
    const file = journalPlace();
    const error = await refusal(file);
    expect(error).toBeInstanceOf(JournalError);
    expect(error).toMatchObject({ message: `could not open the journal ${file}: there is no such file` });
  });

  it('is a folder', async () => {
    const file = journalPlace();
    mkdirSync(file);
    expect(await refusal(file)).toMatchObject({
      message: `could not open the journal ${file}: it is a folder`,
    });
  });

  it('is a pipe, which nobody waits for', async () => {
    const file = journalPlace();
    execFileSync('mkfifo', [file]);
    expect(await refusal(file)).toMatchObject({ message: `the journal ${file} is no regular file` });
  });

  it('has a second name, under which another process would find no lock: it is said what to do', async () => {
    const file = journalFile(WHOLE);
    linkSync(file, path.join(scratchFolder(), 'other.jsonl'));
    expect(await refusal(file)).toMatchObject({
      name: 'JournalError',
      message: expect.stringMatching(/ has 2 names \(hard links\), .* cp FILE COPY && mv COPY FILE$/),
    });
    execFileSync('sh', ['-c', 'cp "$0" copy && mv copy "$0"', file], { cwd: path.dirname(file) });
    expect((await reopenJournal(file)).records).toHaveLength(3);
  });

  it('has a last line that is whole and does not follow: no record of it is cut off', async () => {
    const changed = WHOLE.replace('"callIds":["a"]', '"callIds":["b"]');
    const file = journalFile(changed);
    expect(await refusal(file)).toMatchObject({ name: 'JournalCorrupt', line: 3, reason: 'bad-checksum' });
    expect(readFileSync(file, 'utf8')).toBe(changed);
  });

  it('is held by a live process: it is not even read', async () => {
    const file = journalFile('damaged');
    const { pid, child, exited } = await startHolder(file);
    await expect(reopenJournal(file)).rejects.toThrow(`the run a-run is held by process ${pid} (since `);
    child.kill('SIGKILL');
    await exited;
    expect(await refusal(file)).toBeInstanceOf(JournalCorrupt);
  });
});

describe('the lock of a journal file', () => {
  it('is taken before the file is made and given back when it is closed', async () => {
    const file = journalPlace();
    const journal = fileJournal(file);
    expect(filesBeside(file)).toEqual(['a-run.jsonl', 'a-run.lock-1']);
    expect(() => fileJournal(file)).toThrow(JournalHeld);
    await expect(reopenJournal(file)).rejects.toBeInstanceOf(JournalHeld);
    await Promise.all([journal.close(), journal.close()]);
    expect(filesBeside(file)).toEqual(['a-run.jsonl']);
  });

  it('keeps the file from being made while another process is about to', () => {
    const file = journalPlace();
    writeLock(file, { bootId: 'b', host: 'another' });
    expect(() => fileJournal(file)).toThrow(JournalHeld);
    expect(filesBeside(file)).toEqual(['a-run.lock-1']);
  });

  it('is given back if the file cannot be made', () => {
    const file = journalFile('of value');
    writeLock(file, DEAD);
    expect(() => fileJournal(file)).toThrow('the file exists already');
    expect(filesBeside(file)).toEqual(['a-run.jsonl']);
  });

  it('that cannot be given back is a failure of closing, with the reason', async () => {
    const file = journalPlace();
    const journal = fileJournal(file);
    rmSync(lockPath(file));
    mkdirSync(lockPath(file));
    await expect(journal.close()).rejects.toThrow(
      new JournalError(
        `the lock file ${lockPath(file)} cannot be used: it is no regular file. If no process has this run, remove it`,
      ),
    );
  });

  it('leaves a folder of wider rights as it is', async () => {
    const file = journalPlace();
    chmodSync(path.dirname(file), 0o755);
    await fileJournal(file).close();
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o755);
  });
});

describe.each([
  ['a new journal', async (file: string) => fileJournal(file)],
  [
    'a journal opened again',
    async (file: string) => {
      writeFileSync(file, linesOf([header()]).join(''));
      return (await reopenJournal(file)).journal;
    },
  ],
])('%s', (_, open) => {
  const changed = async (change: (file: string) => void) => {
    const file = journalPlace();
    const journal = await open(file);
    journal.append(finished(1, 'a', 'seen'));
    change(file);
    return { file, journal, append: () => journal.append(recorded(1, 'a')) };
  };

  it.each([
    ['grew', (file: string) => appendFileSync(file, '{"strange":1}\n')],
    ['shrank', (file: string) => truncateSync(file, 10)],
  ])('that %s by another hand is never appended to again', async (_, change) => {
    const { file, journal, append } = await changed(change);
    const before = readFileSync(file);
    expect(append).toThrow(JournalError);
    expect(append).toThrow(
      `another process has written to the journal ${file}: it has ${before.length} bytes`,
    );
    await expect(journal.sync()).rejects.toBeInstanceOf(JournalError);
    expect(readFileSync(file)).toEqual(before);
    await journal.close();
    expect(filesBeside(file)).toEqual(['a-run.jsonl']);
  });

  it('that was removed is never appended to again', async () => {
    const { file, journal, append } = await changed((file) => rmSync(file));
    expect(append).toThrow(new JournalError(`the journal ${file} was removed or renamed`));
    expect(append).toThrow(JournalError);
    await journal.close();
    expect(filesBeside(file)).toEqual([]);
  });

  it('that was renamed in mid-run is never appended to again', async () => {
    const { file, append } = await changed((file) => renameSync(file, `${file}.bak`));
    const before = readFileSync(`${file}.bak`);
    expect(append).toThrow(new JournalError(`the journal ${file} was removed or renamed`));
    expect(readFileSync(`${file}.bak`)).toEqual(before);
  });

  it('that got a second name, as backups give it, is written on', async () => {
    const { file, append } = await changed((file) => linkSync(file, `${file}.bak`));
    append();
    expect(readFileSync(`${file}.bak`)).toEqual(readFileSync(file));
  });

  it('that another file took the place of is never appended to again', async () => {
    const { file, append } = await changed((file) => {
      writeFileSync(`${file}.new`, readFileSync(file));
      renameSync(`${file}.new`, file);
    });
    expect(append).toThrow(`another file has taken the place of the journal ${file}`);
  });
});
