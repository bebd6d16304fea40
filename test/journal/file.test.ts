import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fileJournal } from '../../src/journal/file.ts';
import { JournalError } from '../../src/journal/journal.ts';
import { holderOf } from '../../src/journal/lock.ts';
import { readJournal } from '../../src/journal/read.ts';
import { programFile } from '../helpers/programs.ts';
import { finished, header, recorded } from '../helpers/records.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const run = promisify(execFile);
const newFile = () => path.join(scratchFolder(), 'pawl', 'runs', 'a-run.jsonl');
const modeOf = (file: string) => statSync(file).mode & 0o777;

/** Closes the file behind the journal's back, so that its next system call fails. */
function breakOff(file: string): void {
  const { ino, dev } = statSync(file);
  const fd = Array.from({ length: 1024 }, (_, fd) => fd).find((fd) => {
    try {
      const open = fstatSync(fd);
      return open.ino === ino && open.dev === dev;
    } catch {
      return false;
    }
  });
  if (fd === undefined) throw new Error(`${file} is not open`);
  closeSync(fd);
}

describe('the journal file', () => {
  it('is readable by its owner alone, and so are the folders made for it', () => {
    const file = newFile();
    fileJournal(file);
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(path.dirname(file))).toBe(0o700);
    expect(modeOf(path.dirname(path.dirname(file)))).toBe(0o700);
  });

  it('is never written over', () => {
    const file = newFile();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'of value');
    expect(() => fileJournal(file)).toThrow(
      new JournalError(`could not write the journal ${file}: the file exists already`),
    );
    expect(readFileSync(file, 'utf8')).toBe('of value');
  });

  it('that cannot be made is named, with the reason and the cause', () => {
    const inTheWay = path.join(scratchFolder(), 'a-file');
    writeFileSync(inTheWay, '');
    const file = path.join(inTheWay, 'runs', 'a-run.jsonl');
    const open = () => fileJournal(file);
    expect(open).toThrow(JournalError);
    expect(open).toThrow(`could not write the journal ${file}: ENOTDIR`);
    expect(open).toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: 'ENOTDIR' }) }));
  });

  it('holds a record as soon as it is appended, before any sync', () => {
    const file = newFile();
    const journal = fileJournal(file);
    journal.append(header());
    journal.append(recorded(1, 'a'));
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
  });

  it('that is closed never writes into another file, whose number its own may now be', async () => {
    const file = newFile();
    const journal = fileJournal(file);
    journal.append(header());
    await journal.close();
    const other = path.join(path.dirname(file), 'other');
    const fd = openSync(other, 'w');
    expect(() => journal.append(recorded(1))).toThrow(`the journal ${file} is closed`);
    closeSync(fd);
    expect(readFileSync(other, 'utf8')).toBe('');
  });

  it('grows by the record and not by the run', () => {
    const file = newFile();
    const journal = fileJournal(file);
    const grow = (rounds: number) => {
      for (let n = 0; n < rounds; n += 1) journal.append(finished(n, 'a', 'x'.repeat(2_000)));
      return statSync(file).size;
    };
    const hundred = grow(100);
    expect(grow(100) / hundred).toBeLessThan(2.1);
  });

  it('lets syncs that were asked for together share one system call', () => {
    const journal = fileJournal(newFile());
    const syncs = Array.from({ length: 50 }, () => {
      journal.append(header());
      return journal.sync();
    });
    expect(new Set(syncs).size).toBe(1);
    return syncs[0];
  });

  it('lets syncs that come during a sync share the next one, and no earlier one', async () => {
    const journal = fileJournal(newFile());
    const underWay = journal.sync();
    await Promise.resolve();
    await Promise.resolve();
    const syncs = Array.from({ length: 50 }, () => journal.sync());
    expect(new Set([underWay, ...syncs]).size).toBe(2);
    await Promise.all(syncs);
  });
});

describe('a journal file that takes no more', () => {
  it('says which file and why, and stays ended: what was written before is whole', async () => {
    const file = newFile();
    const limited = 'ulimit -f 16; exec "$0" "$1" "$2"';
    const program = programFile('journal/until-it-fails');
    const { stdout } = await run('bash', ['-c', limited, process.execPath, program, file]);
    const failure = `JournalError: could not write the journal ${file}: the file may not grow any further`;
    expect(JSON.parse(stdout)).toEqual([failure, failure, failure]);
    const { records, tornBytes } = await readJournal(file);
    expect(records.length).toBeGreaterThan(10);
    expect(tornBytes).toBeGreaterThan(0);
  });

  it('ends with the first sync that fails', async () => {
    const file = newFile();
    const journal = fileJournal(file);
    journal.append(header());
    breakOff(file);
    const [first, shared] = [journal.sync(), journal.sync()];
    await expect(first).rejects.toThrow(`could not write the journal ${file}: EBADF`);
    await expect(shared).rejects.toBeInstanceOf(JournalError);
    expect(() => journal.append(recorded(1))).toThrow(JournalError);
    await expect(journal.sync()).rejects.toBeInstanceOf(JournalError);
  });

  it('says so if it cannot be closed, and is held by nobody then', async () => {
    const file = newFile();
    const journal = fileJournal(file);
    breakOff(file);
    await expect(journal.close()).rejects.toThrow(
      expect.objectContaining({
        name: 'JournalError',
        message: `could not close the journal ${file}: EBADF: bad file descriptor, close`,
      }),
    );
    expect(holderOf(file)).toBeUndefined();
  });

  it('refuses the syncs that waited behind the one that failed', async () => {
    const file = newFile();
    const journal = fileJournal(file);
    journal.append(header());
    breakOff(file);
    const first = journal.sync();
    await Promise.resolve();
    await Promise.resolve();
    const behind = journal.sync();
    expect(behind).not.toBe(first);
    expect(await Promise.allSettled([first, behind])).toEqual([
      expect.objectContaining({ status: 'rejected', reason: expect.any(JournalError) }),
      expect.objectContaining({ status: 'rejected', reason: expect.any(JournalError) }),
    ]);
  });

  it('makes nothing where its place cannot be made', () => {
    const folder = scratchFolder();
    const file = path.join(folder, 'runs', 'x'.repeat(300), 'a-run.jsonl');
    expect(() => fileJournal(file)).toThrow(JournalError);
    expect(existsSync(file)).toBe(false);
  });
});
