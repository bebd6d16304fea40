/** The files that locks are made of. Whoever can write to their folder can put anything under their names. */
import fs from 'node:fs';
import { codeOf, reasonOf } from './failure.ts';
import { JournalError } from './journal.ts';

/** More than a holder takes. */
const LARGEST_LOCK_BYTES = 4_096;
/** A pipe holds nobody up, and a link is refused: a dangling one would look like a lock that was taken back. */
const TO_LOOK = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW;

/** What a lock file says; undefined: it is gone. @throws JournalError for what cannot be read, or is no regular file */
export function contentOf(file: string): string | undefined {
  return aboutLockFile(file, () => {
    let fd: number;
    try {
      fd = fs.openSync(file, TO_LOOK);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (codeOf(error) === 'ELOOP') throw new Error('it is a link');
      throw error;
    }
    try {
      if (!fs.fstatSync(fd).isFile()) throw new Error('it is no regular file');
      const bytes = Buffer.alloc(LARGEST_LOCK_BYTES);
      return bytes.toString('utf8', 0, fs.readSync(fd, bytes));
    } finally {
      fs.closeSync(fd);
    }
  });
}

/** It may be gone already. @throws JournalError */
export const remove = (file: string): void => aboutLockFile(file, () => fs.rmSync(file, { force: true }));

/** @throws JournalError that names the file and says what to do */
function aboutLockFile<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new JournalError(
      `the lock file ${file} cannot be used: ${reasonOf(error)}. If no process has this run, remove it`,
      { cause: error },
    );
  }
}
