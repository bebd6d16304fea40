/**
 * The journal as a file. `append` writes at once: a few microseconds into the system's cache, which fixes the order of the
 * records and outlives a killed process. `sync` waits for the disk; the calls of one tick share it. Both are synchronous
 * inside: nothing may happen before they are through, and the way through the thread pool costs more than the disk does
 * (measured: 0.4 ms a sync). A disk that hangs holds the process either way.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type Journal, JournalError } from './journal.ts';
import { encodeLine, GENESIS } from './line.ts';

/** Makes a new file, readable by its owner alone. @throws JournalError if it exists or cannot be made. */
export function fileJournal(file: string, now: () => number = Date.now): Journal {
  const fd = attempt(file, () => {
    makeFolder(path.dirname(file));
    const opened = fs.openSync(file, 'ax', 0o600);
    syncFolder(path.dirname(file));
    return opened;
  });
  let seq = 0;
  let sum = GENESIS;
  /** Why nothing can be written any more. */
  let ended: JournalError | undefined;
  let closing: Promise<void> | undefined;
  /** The flush that has not begun yet: it covers whatever is appended until then. */
  let upcoming: Promise<void> | undefined;

  const fail = (error: unknown): never => {
    ended ??= journalError(file, error);
    throw ended;
  };
  const flushSoon = async (): Promise<void> => {
    await Promise.resolve();
    upcoming = undefined;
    if (ended) throw ended;
    try {
      fs.fdatasyncSync(fd);
    } catch (error) {
      fail(error);
    }
  };
  const shut = async (): Promise<void> => {
    await upcoming?.catch(() => {});
    // The number of a closed file may soon be that of another one.
    ended ??= new JournalError(`the journal ${file} is closed`);
    fs.closeSync(fd);
  };

  return {
    location: file,
    append(body) {
      if (ended) throw ended;
      const line = encodeLine({ seq, at: new Date(now()).toISOString(), ...body }, sum);
      try {
        writeWhole(fd, Buffer.from(line.text));
      } catch (error) {
        fail(error);
      }
      seq += 1;
      sum = line.sum;
      return line.record;
    },
    sync: () => (upcoming ??= flushSoon()),
    close: () => (closing ??= shut()),
  };
}

/** The system may take less than it was given, as it does when the disk is about to be full. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
}

/** Folder by folder: Node's own recursive form never returns where none can be made, as in /proc. */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another run may make the same folder at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The file's name must survive a power cut as well as its content. */
function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function attempt<Value>(file: string, action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    throw journalError(file, error);
  }
}

const REASONS: Record<string, string> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not grow any further',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  EEXIST: 'the file exists already',
  EIO: 'input/output error',
};

function journalError(file: string, cause: unknown): JournalError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  return new JournalError(
    `could not write the journal ${file}: ${REASONS[code] ?? (cause as Error).message}`,
    { cause },
  );
}
