import { statSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { shortPath, size } from './format.ts';
import { UsageError } from './usage-error.ts';

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENOTDIR: 'a part of the path is no folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is longer than the system allows',
};

export const reasonOf = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return WHY[code] ?? message;
};

/** What keeps a person from a file that may not even be there: a folder on the way to it. undefined: none does. */
export function closedFolder(file: string): string | undefined {
  const folder = path.dirname(path.resolve(file));
  if (folder !== path.dirname(folder)) {
    const above = closedFolder(folder);
    if (above !== undefined) return above;
  }
  try {
    // To look at it from within takes the right to enter it, and says of a file that it is none.
    statSync(`${folder}/.`);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? folder : undefined;
  }
}

export const cannotEnter = (folder: string): string =>
  `the folder ${shortPath(folder)} may not be entered. Get the right to (chmod u+rx on it, by whoever owns it)`;

/**
 * A FIFO or a device may never end, and what is far too large is a slip.
 * @throws Error in words for `reasonOf`, where the file is no regular one or larger than that
 */
export async function checkRegularFile(file: string, largestBytes: number): Promise<void> {
  const found = await fs.stat(file).catch(async (error) => {
    const isLink = await fs.lstat(file).then(
      (own) => own.isSymbolicLink(),
      () => false,
    );
    throw isLink && error.code === 'ENOENT' ? new Error('it is a link that leads nowhere') : error;
  });
  if (found.isDirectory()) throw new Error(WHY.EISDIR);
  if (!found.isFile()) throw new Error('it is no regular file');
  if (found.size > largestBytes) throw new Error(`it is larger than ${size(largestBytes)}`);
}

/** The text of a file without its byte order mark. @throws like checkRegularFile */
export async function readRegularFile(file: string, largestBytes: number): Promise<string> {
  await checkRegularFile(file, largestBytes);
  return (await fs.readFile(file, 'utf8')).replace(/^\ufeff/, '');
}

export function cannotRead(what: string, file: string, error: unknown): UsageError {
  const closed = closedFolder(file);
  const why = closed === undefined ? `${reasonOf(error)}. Check the path.` : `${cannotEnter(closed)}.`;
  return new UsageError(`The ${what} ${shortPath(file)} cannot be read: ${why}`);
}
