/** Failures of the system, in words that name the journal. */
import { JournalCorrupt, JournalError } from './journal.ts';

const REASONS: Record<string, string> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not grow any further',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  EEXIST: 'the file exists already',
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  ENXIO: 'it is no regular file',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is longer than the system allows',
  EIO: 'input/output error',
};

/** @param action what could not be done, as in "could not write the journal …" */
export function journalError(action: string, file: string, cause: unknown): JournalError | JournalCorrupt {
  if (cause instanceof JournalError || cause instanceof JournalCorrupt) return cause;
  return new JournalError(`could not ${action} the journal ${file}: ${reasonOf(cause)}`, { cause });
}

/** What the system says, in words. */
export const reasonOf = (cause: unknown): string => REASONS[codeOf(cause) ?? ''] ?? messageOf(cause);

/** @throws JournalError for whatever the work throws, but for JournalCorrupt, which stays. */
export function attempt<Value>(action: string, file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw journalError(action, file, error);
  }
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
