import type { Dirent } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './file-failure.ts';

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

/** Level by level, so that a large folder deep down does not crowd out what lies beside it. @throws when the root cannot be read */
export async function listTree(root: string, signal: AbortSignal): Promise<Tree> {
  const entries: string[] = [];
  const unreadable: string[] = [];
  const tree = (isComplete: boolean): Tree => ({ entries: entries.sort(byFolder), unreadable, isComplete });
  let characters = 0;
  const folders = [''];
  for (const folder of folders) {
    signal.throwIfAborted();
    const found = await entriesOf(join(root, folder), folder === '');
    if (found === undefined) unreadable.push(folder);
    for (const entry of found ?? []) {
      if (entries.length === MAX_ENTRIES || characters > MAX_CHARACTERS) return tree(false);
      const line = await lineOf(root, folder, entry);
      characters += line.length;
      entries.push(line);
      if (entry.isDirectory() && !CLOSED.has(entry.name)) folders.push(line);
    }
  }
  return tree(true);
}

async function entriesOf(folder: string, isRoot: boolean): Promise<Dirent[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => compare(a.name, b.name));
  } catch (error) {
    if (isRoot || codeOf(error) === undefined) throw error;
    return undefined;
  }
}

async function lineOf(root: string, folder: string, entry: Dirent): Promise<string> {
  const path = folder + entry.name;
  if (entry.isDirectory()) return `${path}/`;
  if (!entry.isSymbolicLink()) return path;
  try {
    return `${path} -> ${await readlink(join(root, path))}`;
  } catch {
    // Removed or replaced since the folder was read; the name is all that is known.
    return path;
  }
}

/** By character codes: the same everywhere, whatever the language of the system. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A slash sorts before everything else, so that what is in a folder stays together behind it. */
const byFolder = (a: string, b: string): number => compare(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));
