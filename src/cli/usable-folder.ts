import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { shortPath } from './format.ts';
import { reasonOf } from './read-file.ts';
import { UsageError } from './usage-error.ts';

/** Makes the folder where there is none, and tries it out: rights alone do not tell what a file system takes. @throws UsageError */
export async function checkUsable(flag: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await fs.rmdir(await fs.mkdtemp(path.join(folder, '.trial-')));
  } catch (error) {
    throw new UsageError(
      `Nothing can be kept in ${shortPath(folder)}: ${reasonOf(error)}. Name a folder that this worker can write to: ${flag}.`,
    );
  }
}

/** Not with `recursive`: where a file system says of a new folder that there is no such file (/proc), Node tries for ever. */
async function makeFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  if (!existsSync(parent) && parent !== folder) await makeFolder(parent);
  await fs.mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
