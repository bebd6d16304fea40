import { randomUUID } from 'node:crypto';
import { closeSync, constants, type Stats } from 'node:fs';
import { access, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './file-failure.ts';
import { assertAt, exchanged, inFolder, openFolder } from './opened.ts';
import { ToolFailure } from './tool.ts';

/** undefined: there is nothing. Of a link, what it is itself. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export interface Replacing {
  /** What is to be replaced; null: nothing may be there. Anything else that lies there by now is left as it is. */
  readonly expected?: Stats | null;
  /** Default: that of the file that is replaced. */
  readonly mode?: number;
}

/**
 * Gives a file new content in one step: a reader, a crash or a full disk finds the old content or the new, never a
 * part. The content is on the disk before the name points to it. An existing file keeps its mode, and one that may not
 * be written to is not replaced either. Folders that are missing are made.
 * @param path real path
 * @throws ToolFailure when a folder on the way is exchanged meanwhile, or the file is not the expected one
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  how: Replacing = {},
): Promise<void> {
  const folder = openFolder(dirname(path));
  try {
    await replaceIn(folder, path, content, how);
  } finally {
    closeSync(folder);
  }
}

async function replaceIn(
  folder: number,
  path: string,
  content: string | Uint8Array,
  { expected, mode }: Replacing,
): Promise<void> {
  const place = inFolder(folder, dirname(path));
  const target = join(place, basename(path));
  const before = await statOf(target);
  if (before?.isSymbolicLink()) throw exchanged();
  if (before !== undefined) await access(target, constants.W_OK);
  // In the same folder, since a rename works only within a file system; a short name, since the long one may be at the limit.
  const name = `.pawl-${randomUUID()}.tmp`;
  const temporary = join(place, name);
  try {
    const wanted = mode ?? before?.mode;
    const file = await open(temporary, 'wx', wanted);
    try {
      assertAt(file.fd, join(dirname(path), name));
      await file.writeFile(content);
      // What the process mask took away at the opening.
      if (wanted !== undefined) await file.chmod(wanted & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    // The folder itself may have been moved out of the workspace while the file was written.
    assertAt(folder, dirname(path));
    if (expected !== undefined) assertSame(await statOf(target), expected);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Looked at right before the exchange: whoever writes the file at the same time would lose their work. */
export function assertSame(found: Stats | undefined, expected: Stats | null): void {
  const isSame =
    found === undefined || expected === null
      ? found === undefined && expected === null
      : found.ino === expected.ino &&
        found.dev === expected.dev &&
        found.size === expected.size &&
        found.mtimeMs === expected.mtimeMs;
  if (!isSame)
    throw new ToolFailure(
      'The file was changed by somebody else at the same moment, so nothing was written. Read it again, then make the change to what is there now.',
    );
}
