/** Copies of a workspace, one for each trial: what is tried out must not touch the original. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { size } from './format.ts';
import { cannotRead } from './read-file.ts';
import { UsageError } from './usage-error.ts';

/** How much may be copied again and again. */
export interface CopyBounds {
  readonly entries: number;
  readonly bytes: number;
}

/**
 * @param workspace absolute real path
 * @returns what is left out of the copy: links that lead out of the workspace, and what is neither file, folder nor link
 * @throws UsageError where it is too large to be copied again and again
 */
export async function copyWorkspace(workspace: string, copy: string, most: CopyBounds): Promise<string[]> {
  if (isInside(await fs.realpath(os.tmpdir()), workspace))
    throw tooMuch(workspace, 'holds the folder for temporary files, where the copies are made');
  const leftOut = await unfit(workspace, most).catch((error) => {
    throw error instanceof UsageError ? error : cannotRead('workspace', workspace, error);
  });
  await fs.cp(workspace, copy, {
    recursive: true,
    verbatimSymlinks: true,
    // Builds look at them.
    preserveTimestamps: true,
    filter: (source) => !leftOut.includes(source),
  });
  return leftOut;
}

async function unfit(workspace: string, most: CopyBounds): Promise<string[]> {
  const found: string[] = [];
  let [entries, bytes] = [0, 0];
  const waiting = [workspace];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      entries += 1;
      if (entry.isDirectory()) waiting.push(file);
      else if (entry.isFile()) bytes += (await fs.lstat(file)).size;
      else if (!entry.isSymbolicLink() || (await leadsOut(file, workspace))) found.push(file);
      if (entries > most.entries) throw tooMuch(workspace, `has more than ${most.entries} files and folders`);
      if (bytes > most.bytes) throw tooMuch(workspace, `is larger than ${size(most.bytes)}`);
    }
  return found;
}

/** An absolute link leads to the original, also where that is inside. */
async function leadsOut(link: string, workspace: string): Promise<boolean> {
  const target = await fs.readlink(link);
  return path.isAbsolute(target) || !isInside(path.resolve(path.dirname(link), target), workspace);
}

const isInside = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`);

const tooMuch = (workspace: string, why: string): UsageError =>
  new UsageError(
    `The workspace ${workspace} ${why}, and each trial works in a copy of it. Name a smaller one with --cd.`,
  );
