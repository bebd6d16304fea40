/**
 * Appends records to an open journal file. `append` writes at once: a few microseconds into the system's cache, which
 * fixes the order of the records and outlives a killed process. `sync` waits for the disk; the calls of one tick share it.
 * Both are synchronous inside: nothing may happen before they are through, and the way through the thread pool costs more
 * than the disk does (measured: 0.4 ms a sync). A disk that hangs holds the process either way.
 */
import fs from 'node:fs';
import { journalError } from './failure.ts';
import { type Journal, JournalError } from './journal.ts';
import { keepContent } from './kept-files.ts';
import { keepState } from './kept-state.ts';
import { encodeLine } from './line.ts';
import type { Lock } from './lock.ts';

/** Where the next record goes: behind the last one that is known. */
export interface End {
  readonly offset: number;
  readonly seq: number;
  readonly sum: string;
}

/** @param fd open for appending. The file and the lock are the writer's from here on; `close` gives both back. */
export function journalWriter(file: string, fd: number, lock: Lock, end: End, now: () => number): Journal {
  let { offset, seq, sum } = end;
  const { dev, ino } = fs.fstatSync(fd);
  /** Why nothing can be written any more. */
  let ended: Error | undefined;
  let closing: Promise<void> | undefined;
  /** The flush that has not begun yet: it covers whatever is appended until then. */
  let upcoming: Promise<void> | undefined;
  /** Up to here all is on the disk. Nobody knows of what an earlier process has written. */
  let syncedOffset = -1;

  const orEnd = (write: () => void): void => {
    if (ended) throw ended;
    try {
      write();
    } catch (error) {
      ended = journalError('write', file, error);
      throw ended;
    }
  };
  const flushSoon = async (): Promise<void> => {
    await Promise.resolve();
    upcoming = undefined;
    if (ended === undefined && offset === syncedOffset) return;
    orEnd(() => fs.fdatasyncSync(fd));
    syncedOffset = offset;
  };
  const shut = async (): Promise<void> => {
    await upcoming?.catch(() => {});
    // The number of a closed file may soon be that of another one.
    ended ??= new JournalError(`the journal ${file} is closed`);
    try {
      fs.closeSync(fd);
    } catch (error) {
      throw journalError('close', file, error);
    } finally {
      lock.release();
    }
  };

  return {
    location: file,
    append(body) {
      if (ended) throw ended;
      const line = encodeLine({ seq, at: new Date(now()).toISOString(), ...body }, sum);
      const bytes = Buffer.from(line.text);
      orEnd(() => {
        checkUntouched(file, { dev, ino, size: offset });
        writeWhole(fd, bytes);
      });
      offset += bytes.length;
      seq += 1;
      sum = line.sum;
      return line.record;
    },
    keep: (state) => keepState(file, { ...state, seq: seq - 1 }, sum),
    keepFile: (content) => keepContent(file, content),
    sync: () => (upcoming ??= flushSoon()),
    close: () => (closing ??= shut()),
  };
}

/**
 * The lock binds only those who ask for it. A record behind strange ones would not follow from them, and one in a file
 * that has no longer its name would be found by nobody. Other names beside that one do no harm: backups make them.
 */
function checkUntouched(file: string, own: Pick<fs.Stats, 'dev' | 'ino' | 'size'>): void {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new JournalError(`the journal ${file} was removed or renamed`);
  if (found.ino !== own.ino || found.dev !== own.dev)
    throw new JournalError(`another file has taken the place of the journal ${file}`);
  if (found.size !== own.size) {
    throw new JournalError(
      `another process has written to the journal ${file}: it has ${found.size} bytes where ${own.size} were written`,
    );
  }
}

/** The system may take less than it was given, as it does when the disk is about to be full. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
}
