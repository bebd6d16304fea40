import { randomUUID } from 'node:crypto';
import { closeSync, constants, type Stats } from 'node:fs';
import { access, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './file-failure.ts';
import { assertAt, exchanged, inFolder, openFolder } from './opened.ts';

/** undefined: there is nothing. Of a link, what it is itself. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Gives a file new content in one step: a reader, a crash or a full disk finds the old content or the new, never a
 * part. The content is on the disk before the name points to it. An existing file keeps its mode, and one that may not
 * be written to is not replaced either. Folders that are missing are made.
 * @param path real path
 * @throws ToolFailure when a folder on the way is exchanged meanwhile
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const folder = openFolder(dirname(path));
  try {
    await replaceIn(folder, path, content);
  } finally {
    closeSync(folder);
  }
}

async function replaceIn(folder: number, path: string, content: string | Uint8Array): Promise<void> {
  const place = inFolder(folder, dirname(path));
  const target = join(place, basename(path));
  const before = await statOf(target);
  if (before?.isSymbolicLink()) throw exchanged();
  if (before !== undefined) await access(target, constants.W_OK);
  // In the same folder, since a rename works only within a file system; a short name, since the long one may be at the limit.
  const name = `.pawl-${randomUUID()}.tmp`;
  const temporary = join(place, name);
  try {
    const file = await open(temporary, 'wx', before?.mode);
    try {
      assertAt(file.fd, join(dirname(path), name));
      await file.writeFile(content);
      // What the process mask took away at the opening.
      if (before !== undefined) await file.chmod(before.mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    // The folder itself may have been moved out of the workspace while the file was written.
    assertAt(folder, dirname(path));
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
