import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from './failure.ts';

/** Folder by folder: Node's own recursive form never returns where none can be made, as in /proc. */
export function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another run may make the same folder at the same moment.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The file's name must survive a power cut as well as its content. */
export function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
