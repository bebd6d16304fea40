import { closeSync, constants, type Dirent } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf } from './file-failure.ts';
import { assertAt, inFolder, openChecked } from './opened.ts';
import { ToolFailure } from './tool.ts';

export const MAX_ENTRIES = 1_000;
const MAX_CHARACTERS = 50_000;

/** Shown, but not entered: large, and seldom what is looked for. */
const CLOSED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export interface Tree {
  /** Paths from the root on, sorted, each folder right before what is in it: `a/`, `a/b.txt`, `c -> a/b.txt`. */
  readonly entries: readonly string[];
  /** Folders that could not be read, or vanished meanwhile. */
  readonly unreadable: readonly string[];
  readonly isComplete: boolean;
}

/**
 * Level by level, so that a large folder deep down does not crowd out what lies beside it.
 * @param root real path
 * @param isEntered whether what is in a folder is looked at; by its real path
 * @throws when the root cannot be read
 */
export async function listTree(
  root: string,
  signal: AbortSignal,
  isEntered: (folder: string) => boolean = () => true,
): Promise<Tree> {
  const entries: string[] = [];
  const unreadable: string[] = [];
  const tree = (isComplete: boolean): Tree => ({ entries: entries.sort(byFolder), unreadable, isComplete });
  let characters = 0;
  const folders = [''];
  for (const folder of folders) {
    signal.throwIfAborted();
    try {
      for await (const { line, entry } of linesIn(resolve(root, folder), folder)) {
        if (entries.length === MAX_ENTRIES || characters > MAX_CHARACTERS) return tree(false);
        characters += line.length;
        entries.push(line);
        if (entry.isDirectory() && !CLOSED.has(entry.name) && isEntered(resolve(root, line)))
          folders.push(line);
      }
    } catch (error) {
      const isOfFolder = codeOf(error) !== undefined || error instanceof ToolFailure;
      if (folder === '' || !isOfFolder) throw error;
      unreadable.push(folder);
    }
  }
  return tree(true);
}

/** The entries of a folder, each with its line. @param path real path. @param folder how the lines begin */
async function* linesIn(path: string, folder: string): AsyncGenerator<{ line: string; entry: Dirent }> {
  const handle = openChecked(path, constants.O_DIRECTORY);
  try {
    const place = inFolder(handle, path);
    const entries = await readdir(place, { withFileTypes: true });
    assertAt(handle, path);
    for (const entry of entries.sort((a, b) => compare(a.name, b.name)))
      yield { entry, line: folder + (await shown(place, entry)) };
  } finally {
    closeSync(handle);
  }
}

async function shown(place: string, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`;
  if (!entry.isSymbolicLink()) return entry.name;
  try {
    return `${entry.name} -> ${await readlink(join(place, entry.name))}`;
  } catch {
    // Removed or replaced since the folder was read; the name is all that is known.
    return entry.name;
  }
}

/** By character codes: the same everywhere, whatever the language of the system. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A slash sorts before everything else, so that what is in a folder stays together behind it. */
const byFolder = (a: string, b: string): number => compare(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));
