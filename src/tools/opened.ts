/**
 * What is open is what was checked. Between the check of a path and its use, another process can put a link in the place
 * of a folder on the way. So the file or folder is asked where it lies once it is open, when nothing can be exchanged any
 * more, and what is done in a folder is done through its handle. Synchronous, as the check of the path is.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './file-failure.ts';
import { ToolFailure } from './tool.ts';

/** Linux: links to what this process has open. Each says where it lies now, and leads there whatever the path does. */
const HANDLES = '/proc/self/fd';
const hasHandles = existsSync(HANDLES);

/**
 * Opens a file or, with O_DIRECTORY, a folder for reading. A pipe that took its place does not block the opening.
 * @param path real path
 * @returns the handle; close it
 * @throws ToolFailure when something else lies there by now
 */
export function openChecked(path: string, flags = 0): number {
  const handle = openItself(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | flags);
  try {
    assertAt(handle, path);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Opens a folder, which is made where it is missing, with those above it. Like openChecked in all else. */
export function openFolder(path: string): number {
  try {
    return openChecked(path, constants.O_DIRECTORY);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const above = openFolder(dirname(path));
  try {
    mkdirSync(join(inFolder(above, dirname(path)), basename(path)));
  } catch (error) {
    // Somebody else has made it in the meantime.
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    closeSync(above);
  }
  return openChecked(path, constants.O_DIRECTORY);
}

/** The folder itself as a path; where there is no such path, the one that it was opened by, to be checked afterwards. */
export const inFolder = (handle: number, path: string): string =>
  hasHandles ? `${HANDLES}/${handle}` : path;

/** @throws ToolFailure unless what is open lies at that path, and no link leads there */
export function assertAt(handle: number, path: string): void {
  if (!(hasHandles ? readlinkSync(`${HANDLES}/${handle}`) === path : isSameFile(handle, path)))
    throw exchanged();
}

/** What can be known without /proc (macOS): a path that was exchanged for the opening alone has another file now. */
export function isSameFile(handle: number, path: string): boolean {
  const opened = fstatSync(handle);
  const { dev, ino } = statSync(path);
  return opened.dev === dev && opened.ino === ino && realpathSync.native(path) === path;
}

export const exchanged = (): ToolFailure =>
  new ToolFailure(
    'A folder on the way to this path, or its end, was exchanged while it was being used, so nothing was read or ' +
      'changed there. Find out what moves it, or try again.',
  );

function openItself(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    // A link at the end of a path that had none.
    throw codeOf(error) === 'ELOOP' ? exchanged() : error;
  }
}
