/** Gives files back what they were. The paths are as hostile as those of a call: links may have come since. */
import { closeSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FoundFile, lookFor } from './file-content.ts';
import { inFolder, openFolder } from './opened.ts';
import { resolveInside } from './paths.ts';
import { assertSame, replaceFile, statOf } from './replace-file.ts';
import { assertNoSecrets } from './secret-files.ts';
import { ToolFailure } from './tool.ts';

export interface Place {
  readonly real: string;
  readonly found: FoundFile | undefined;
}

/** @param path from the workspace on, without links. @throws ToolFailure where it may not be written to */
export async function placeOf(workspace: string, path: string): Promise<Place> {
  const real = await resolveInside({ workspace }, path);
  if (real !== join(workspace, path)) throw new ToolFailure('A link leads somewhere else there by now.');
  assertNoSecrets(path, real);
  return { real, found: lookFor(real, path) };
}

/** @param mode of the file as it was. @throws ToolFailure, or the system's error */
export async function restoreFile({ real, found }: Place, content: Buffer, mode: number): Promise<void> {
  await replaceFile(real, content, { expected: found?.stats ?? null, mode });
}

/** @throws ToolFailure, or the system's error */
export async function removeFile({ real, found }: Place): Promise<void> {
  const folder = openFolder(dirname(real));
  try {
    const target = join(inFolder(folder, dirname(real)), basename(real));
    assertSame(await statOf(target), found?.stats ?? null);
    await rm(target);
  } finally {
    closeSync(folder);
  }
}

/**
 * Removes the folders that a removed file has left empty, from the innermost on.
 * @param made the folders that may be removed, with those in them; from the workspace on, as the path is
 */
export function removeEmptied(workspace: string, path: string, made: readonly string[]): void {
  const isMade = (folder: string) => made.some((one) => folder === one || folder.startsWith(`${one}/`));
  try {
    for (let folder = dirname(path); isMade(folder); folder = dirname(folder))
      rmdirSync(join(workspace, folder));
  } catch {
    // Something else lies in it by now: it stays, with those above it.
  }
}
