import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from './file-failure.ts';

/** undefined: there is nothing. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Gives a file new content in one step: a reader, a crash or a full disk finds the old content or the new, never a
 * part. The content is on the disk before the name points to it. An existing file keeps its mode, and one that may not
 * be written to is not replaced either.
 * @param path without links, in an existing folder
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const mode = (await statOf(path))?.mode;
  if (mode !== undefined) await access(path, constants.W_OK);
  // In the same folder, since a rename works only within a file system; a short name, since the long one may be at the limit.
  const temporary = join(dirname(path), `.pawl-${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      // What the process mask took away at the opening.
      if (mode !== undefined) await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
