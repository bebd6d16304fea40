import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from './read-file.ts';
import { UsageError } from './usage-error.ts';

/** Looks before the run whether a file can be written after it. Creates nothing. @param flag such as "--transcript" */
export async function checkOutputFile(flag: string, file: string): Promise<void> {
  const folder = path.dirname(file);
  try {
    await fs.access(folder, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UsageError(
      `${flag}: ${isMissing ? `there is no folder ${folder}. Create it first` : `${folder} cannot be written to: ${reasonOf(error)}. Name another folder`}.`,
    );
  }
  const existing = await fs.stat(file).catch(() => undefined);
  if (existing && !existing.isFile())
    throw new UsageError(`${flag}: ${file} is no regular file. Name another one.`);
}

/** Readers see the old file or the whole new one, never a part. Rejects with the system's error. */
export async function writeAtomically(file: string, content: string): Promise<void> {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    await fs.writeFile(draft, content, { flag: 'wx', flush: true });
    await fs.rename(draft, file);
  } catch (error) {
    await fs.rm(draft, { force: true });
    throw error;
  }
}
