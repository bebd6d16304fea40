/** What is mounted on a folder, and how one is removed without being led elsewhere. Both as Linux tells it, in /proc. */
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync, rmdirSync } from 'node:fs';
import path from 'node:path';

/** Whether something is mounted there in the namespace of any process. What cannot be told counts as mounted. */
export function isMounted(folder: string): boolean {
  const escaped = folder.replace(
    /[ \t\n\\]/g,
    (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  // bwrap builds a file system elsewhere first, and then goes there.
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => mountsOf(pid)?.some((at) => at.endsWith(escaped)) ?? true);
}

/** @returns undefined where it cannot be told */
function mountsOf(pid: string): string[] | undefined {
  try {
    const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
    return lines.flatMap((line) => line.split(' ')[4] ?? []);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // It has ended.
    return ['ENOENT', 'ESRCH', 'EINVAL'].includes(code) ? [] : undefined;
  }
}

/**
 * Removes an empty folder, and never one that a link leads to: what is around it is opened first, and has to be the place
 * that its path names.
 * @returns whether it was removed
 */
export function removeEmpty(folder: string): boolean {
  const around = path.dirname(folder);
  let opened: number | undefined;
  try {
    opened = openSync(around, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const place = `/proc/self/fd/${opened}`;
    if (readlinkSync(place) !== around) return false;
    rmdirSync(path.join(place, path.basename(folder)));
    return true;
  } catch {
    // It is not empty, gone already, no folder, or somebody else's: all of that stays.
    return false;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
