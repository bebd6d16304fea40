/**
 * Paths given by the model, resolved inside the workspace. What counts is where a path really leads: links are
 * followed before the check, also for files that do not exist yet. Names are compared byte by byte, never normalised.
 * The check guards the file tools; what a process does is the sandbox's matter. It tells what is so now: who uses the
 * path looks again at what was opened (opened.ts).
 * The two questions of every call are asked synchronously: that takes microseconds, a way through the thread pool ten
 * times as long.
 */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { closeNames, isLookAlike } from '../checks/close-names.ts';
import { codeOf, fileFailure } from './file-failure.ts';
import { spell } from './names.ts';
import { assertNoSecrets } from './secret-files.ts';
import { type Bounds, ToolFailure } from './tool.ts';

const MOST_LINKS = 40;

/** More than any system takes. Also bounds the work below, which goes up a missing path name by name. */
const LONGEST_PATH = 4_096;

/**
 * Absolute path without links. Nothing need exist there.
 * @throws ToolFailure when it leads outside; the text does not repeat the path, which may say more than it should.
 */
export async function resolveInside(bounds: Bounds, path: string): Promise<string> {
  const { workspace } = bounds;
  if (/[\0\p{Cs}]/u.test(path))
    throw new ToolFailure('The path contains a character that no file name can have. Use the exact name.');
  if (path.length > LONGEST_PATH)
    throw new ToolFailure('The path is longer than the system allows. Choose a shorter one.');
  const real = await realPathOf(resolve(workspace, path), 0).catch((error: unknown) => {
    throw fileFailure(error, 'use', path);
  });
  const prefix = workspace.endsWith(sep) ? workspace : workspace + sep;
  if (real !== workspace && !real.startsWith(prefix))
    throw new ToolFailure(
      'This path leads outside the workspace, so it was not touched. Only paths inside the workspace work ' +
        '(relative to it, or absolute ones within it; links are followed first).',
    );
  if (isClosed(bounds, real))
    throw new ToolFailure(
      'This path leads to where pawl keeps its records of runs, which tools neither read nor change, so it was not touched. ' +
        'Do the task without it; the person can look at a run with pawl show and pawl log.',
    );
  return real;
}

/** @param real absolute real path */
export const isClosed = ({ closed = [] }: Bounds, real: string): boolean =>
  closed.some((beginning) => `${real}${sep}`.startsWith(beginning));

/** An existing file. @throws ToolFailure when there is none, which says what names are close, or where it holds secrets. */
export async function findFile(bounds: Bounds, path: string): Promise<string> {
  const { real, stats } = await find(bounds, path);
  assertFile(stats, path);
  assertNoSecrets(path, real);
  return real;
}

/** An existing folder. @throws ToolFailure when there is none; says which names are close. */
export async function findFolder(bounds: Bounds, path: string): Promise<string> {
  const { real, stats } = await find(bounds, path);
  if (!stats.isDirectory())
    throw new ToolFailure(`${spell(path)} is a file, and a folder is needed. Use read_file to read it.`);
  return real;
}

/** An existing file or folder. @throws ToolFailure like findFile */
export async function findAny(
  bounds: Bounds,
  path: string,
): Promise<{ readonly real: string; readonly isFolder: boolean }> {
  const { real, stats } = await find(bounds, path);
  if (stats.isDirectory()) return { real, isFolder: true };
  assertFile(stats, path);
  assertNoSecrets(path, real);
  return { real, isFolder: false };
}

export function assertFile(stats: Stats, path: string): void {
  if (stats.isDirectory())
    throw new ToolFailure(
      `${spell(path)} is a folder, and a file is needed. Use list_files, or a program, to see what is in it.`,
    );
  if (!stats.isFile())
    throw new ToolFailure(`${spell(path)} is a device, a pipe or a socket. Only ordinary files work.`);
}

/** How a path is written for the model: from the workspace on. */
export const shownPath = (workspace: string, real: string): string => relative(workspace, real) || '.';

/** Names beside this one that a person could take for it. */
export async function lookAlikes(real: string): Promise<string[]> {
  const name = basename(real);
  const names = await readdir(dirname(real)).catch(() => []);
  return names.filter((other) => other !== name && isLookAlike(other, name)).slice(0, 5);
}

async function find(bounds: Bounds, path: string): Promise<{ real: string; stats: Stats }> {
  if (path.length > LONGEST_PATH)
    throw new ToolFailure('The path is longer than the system allows. Choose a shorter one.');
  const real = await resolveInside(bounds, path);
  try {
    return { real, stats: statSync(real) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw await notFound(bounds.workspace, path, real);
    throw fileFailure(error, 'use', path);
  }
}

async function realPathOf(path: string, links: number): Promise<string> {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || links > MOST_LINKS) throw error;
  }
  // Nothing at the end of the path: a name still to be created, in a folder that may itself be missing, or a link
  // whose target is missing. Such a link counts as its target, because writing to it would create the target.
  const parent = await realPathOf(dirname(path), links);
  const place = join(parent, basename(path));
  const target = await targetOf(place);
  return target === undefined ? place : realPathOf(resolve(parent, target), links + 1);
}

async function targetOf(place: string): Promise<string | undefined> {
  try {
    return await readlink(place);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EINVAL') return undefined;
    throw error;
  }
}

async function notFound(workspace: string, path: string, real: string): Promise<ToolFailure> {
  const { folder, missing, names } = await deepestFolder(real);
  const close = closeNames(missing, names).map(spell);
  const where = folder === workspace ? 'the workspace' : spell(shownPath(workspace, folder));
  const hint =
    close.length > 0
      ? `Close names in ${where}: ${close.join(', ')}.`
      : `Use list_files, or a program, to see what is in ${where}.`;
  return new ToolFailure(`There is no ${spell(path)}. ${hint}`);
}

/** The deepest existing folder on the way, and the name that is missing in it. */
async function deepestFolder(path: string): Promise<{ folder: string; missing: string; names: string[] }> {
  const folder = dirname(path);
  try {
    return { folder, missing: basename(path), names: await readdir(folder) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return deepestFolder(folder);
    // A folder that may be entered but not listed: there is nothing to compare with.
    return { folder, missing: basename(path), names: [] };
  }
}
