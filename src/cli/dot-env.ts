import path from 'node:path';
import { readRegularFile, reasonOf } from './read-file.ts';
import { UsageError } from './usage-error.ts';

const LARGEST_BYTES = 1_000_000;

/** The text of the folder's `.env` file, of which the model room reads five names; undefined where there is none. */
export async function readDotEnv(folder: string): Promise<string | undefined> {
  const file = path.join(folder, '.env');
  try {
    return await readRegularFile(file, LARGEST_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}. Correct or remove it.`);
  }
}
