import { lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { isWithin, type View } from './view.ts';

/** One place in the file system that a confined program sees. */
export type Mount =
  | { readonly is: 'read-only' | 'writable'; readonly at: string; readonly from: string }
  | { readonly is: 'link'; readonly at: string; readonly target: string }
  /** `private`: a folder in memory, gone with the call; `empty`: one that stays empty; `closed`: a file that cannot be opened. */
  | { readonly is: 'private' | 'empty' | 'closed' | 'proc' | 'devices'; readonly at: string };

/** Outer ones first, so that what lies in another one lies on top of it; of two at one place the later one counts. */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const depth = ({ at }: Mount): number => (at === '/' ? 0 : at.split('/').length);
  const sorted = [...mounts].sort((a, b) => depth(a) - depth(b));
  // Last of all the root, where folders were made to mount something on: a write there would be lost without a word.
  return [...sorted.flatMap(argumentsFor), '--remount-ro', '/'];
}

function argumentsFor(mount: Mount): string[] {
  switch (mount.is) {
    case 'read-only':
      return ['--ro-bind', mount.from, mount.at];
    case 'writable':
      return ['--bind', mount.from, mount.at];
    case 'link':
      return ['--symlink', mount.target, mount.at];
    case 'private':
      return ['--tmpfs', mount.at];
    case 'empty':
      return ['--tmpfs', mount.at, '--remount-ro', mount.at];
    case 'proc':
      return ['--proc', mount.at];
    case 'devices':
      return ['--dev', mount.at];
    case 'closed':
      return ['--ro-bind', '/dev/null', mount.at];
    default:
      return mount satisfies never;
  }
}

/** pawl's own folder in a workspace: rights are given there, and results are kept. Programs may read it. */
export const OWN = '.pawl';

/**
 * The workspace and what is closed in it. Asked for at each call: programs and tools have changed it since the last one.
 * @returns a text where the workspace is such that a program could give itself rights
 */
export function workspaceMounts(
  { workspace, hidden }: View,
  visible: readonly string[],
): readonly Mount[] | string {
  const own = path.join(workspace, OWN);
  const isThere = makeFolder(own);
  if (isOwnUnfit(workspace))
    return `${own} is a file or a link, and the person has to make it a folder first`;
  return [
    { is: 'writable', at: workspace, from: workspace },
    ...(isThere ? [readOnly(own)] : []),
    ...visible.map(readOnly),
    ...hidden.flatMap((at) => (isWithin(workspace, at) ? closed(at) : [])),
  ];
}

/** Behind a link or in place of a file, a program could make the folder itself, or change what is elsewhere. */
export function isOwnUnfit(workspace: string): boolean {
  return kindOf(path.join(workspace, OWN)) === 'other';
}

export const readOnly = (at: string): Mount => ({ is: 'read-only', at, from: at });

/**
 * Nothing can be mounted on a folder that is not there, and a program would make it.
 * @returns whether it is there now. Where pawl cannot make it, programs cannot either.
 */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}

function closed(at: string): Mount[] {
  const kind = kindOf(at);
  if (kind === 'none' && !makeFolder(at)) return [];
  return [{ is: kind === 'other' ? 'closed' : 'empty', at }];
}

function kindOf(file: string): 'none' | 'folder' | 'other' {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  return found.isDirectory() ? 'folder' : 'other';
}
