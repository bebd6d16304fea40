/**
 * The journal as a file. `append` writes at once and synchronously: a few microseconds into the system's cache, which
 * fixes the order of the records and outlives a killed process. `sync` waits for the disk; calls that come while one
 * is under way share the next one.
 */
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Journal, JournalError } from './journal.ts';
import { encodeLine, GENESIS } from './line.ts';
import type { JournalRecord } from './record.ts';

const syncData = promisify(fs.fdatasync);

/** Makes a new file, readable by its owner alone. @throws JournalError if it exists or cannot be made. */
export function fileJournal(file: string, now: () => number = Date.now): Journal {
  const fd = attempt(file, () => {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const opened = fs.openSync(file, 'ax', 0o600);
    syncFolder(path.dirname(file));
    return opened;
  });
  let seq = 0;
  let sum = GENESIS;
  let failed: JournalError | undefined;
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  const fail = (error: unknown): never => {
    failed = error instanceof JournalError ? error : journalError(file, error);
    throw failed;
  };
  const flush = (): Promise<void> => {
    running = syncData(fd)
      .catch(fail)
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  return {
    location: file,
    append(body) {
      if (failed) throw failed;
      const record: JournalRecord = { seq, at: new Date(now()).toISOString(), ...body };
      const line = encodeLine(record, sum);
      try {
        writeWhole(fd, Buffer.from(line.text));
      } catch (error) {
        fail(error);
      }
      seq += 1;
      sum = line.sum;
      return record;
    },
    sync() {
      if (failed) return Promise.reject(failed);
      if (running === undefined) return flush();
      waiting ??= running
        .catch(() => {})
        .then(() => {
          waiting = undefined;
          return failed ? Promise.reject(failed) : flush();
        });
      return waiting;
    },
    async close() {
      await (waiting ?? running)?.catch(() => {});
      fs.closeSync(fd);
    },
  };
}

/** The system may take less than it was given, as it does when the disk is about to be full. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
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
