import fs from 'node:fs/promises';
import { UsageError } from './usage-error.ts';

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENOTDIR: 'a part of the path is no folder',
};

export const reasonOf = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return WHY[code] ?? message;
};

/** Reads a file that the person named. @param what for the message: "agent file" */
export async function readNamedFile(what: string, file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be read: ${reasonOf(error)}. Check the path.`);
  }
}
