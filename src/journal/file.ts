/** Journals as files: a new one, or one that goes on. Either is locked before it is touched. */
import fs from 'node:fs';
import path from 'node:path';
import { attempt } from './failure.ts';
import { makeFolder, syncFolder } from './folders.ts';
import { type Journal, JournalError, type OpenedJournal } from './journal.ts';
import { keptState } from './kept-state.ts';
import { GENESIS } from './line.ts';
import { acquireLock, type Lock } from './lock.ts';
import { proveRecords } from './read.ts';
import { journalWriter } from './writer.ts';

/** A pipe in place of the journal must not hold the process. */
const TO_GO_ON = fs.constants.O_RDWR | fs.constants.O_APPEND | fs.constants.O_NONBLOCK;

/**
 * Makes a new file, readable by its owner alone.
 * @throws JournalHeld if another process is making it; JournalError if it exists or cannot be made
 */
export function fileJournal(file: string, now: () => number = Date.now): Journal {
  return attempt('write', file, () => {
    makeFolder(path.dirname(file));
    return locked(file, now, (lock) =>
      opened(fs.openSync(file, 'ax', 0o600), (fd) => {
        syncFolder(path.dirname(file));
        return journalWriter(file, fd, lock, { offset: 0, seq: 0, sum: GENESIS }, now);
      }),
    );
  });
}

/**
 * Goes on with a journal: proves what is there and cuts off a torn end, so that the next record stands on a line of its own.
 * Rejects with JournalHeld if a process writes it, JournalCorrupt if it is damaged (and then leaves it as it is),
 * JournalError if it cannot be read.
 */
export async function reopenJournal(file: string, now: () => number = Date.now): Promise<OpenedJournal> {
  return attempt('open', file, () =>
    locked(file, now, (lock) =>
      opened(fs.openSync(file, TO_GO_ON), (fd) => {
        checkOneFile(file, fs.fstatSync(fd));
        const bytes = fs.readFileSync(fd);
        const { records, tornBytes, sums } = proveRecords(file, bytes);
        const offset = bytes.length - tornBytes;
        if (tornBytes > 0) {
          fs.ftruncateSync(fd, offset);
          fs.fsyncSync(fd);
        }
        const journal = journalWriter(
          file,
          fd,
          lock,
          { offset, seq: records.length, sum: sums.at(-1) ?? GENESIS },
          now,
        );
        return { journal, records, tornBytes, kept: keptState(file, sums) };
      }),
    ),
  );
}

/** The lock stands beside one name; under another one a second process would find none. */
function checkOneFile(file: string, found: fs.Stats): void {
  if (!found.isFile()) throw new JournalError(`the journal ${file} is no regular file`);
  if (found.nlink > 1)
    throw new JournalError(
      `the journal ${file} has ${found.nlink} names (hard links), and another process may write it under another one. ` +
        `Remove the others, or make it a file of its own: cp FILE COPY && mv COPY FILE`,
    );
}

/** Runs what needs the lock; the lock stays with what it returns. */
function locked<Value>(file: string, now: () => number, open: (lock: Lock) => Value): Value {
  const lock = acquireLock(file, now);
  try {
    return open(lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Runs what needs the open file; the file stays open with what it returns. */
function opened<Value>(fd: number, use: (fd: number) => Value): Value {
  try {
    return use(fd);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}
