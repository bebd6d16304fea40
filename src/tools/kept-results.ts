/** Results that were too long for the model, kept whole where it can read them with read_file. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder, openFolder } from './opened.ts';

const FOLDER = join('.pawl', 'results');

/**
 * @param workspace absolute real path
 * @param callId made by the model: only its digest becomes part of a name
 * @returns path relative to the workspace. @throws Error of the system where nothing can be written
 */
export function keepResult(workspace: string, callId: string, text: string): string {
  const folder = join(workspace, FOLDER);
  const handle = openFolder(folder);
  try {
    const inside = inFolder(handle, folder);
    // What is in it is no part of anybody's project.
    const ignore = join(inside, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { flag: 'wx' });
    const name = `${createHash('sha256').update(callId).update(text).digest('hex').slice(0, 12)}.txt`;
    if (!existsSync(join(inside, name))) writeFileSync(join(inside, name), text, { flag: 'wx' });
    return join(FOLDER, name);
  } finally {
    closeSync(handle);
  }
}
