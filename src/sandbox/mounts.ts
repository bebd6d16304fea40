import { lstatSync } from 'node:fs';
import path from 'node:path';
import { enterMountPoint, type MountPoint } from './mount-point.ts';
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

export interface WorkspaceMounts {
  readonly mounts: readonly Mount[];
  /** Removes what was made for the call, once nothing of it is left. */
  readonly leave: () => void;
}

/**
 * The workspace and what is closed in it. Asked for at each call: programs and tools have changed it since the last one.
 * @returns a text where the workspace is such that a program could give itself rights
 */
export function workspaceMounts(
  { workspace, hidden }: View,
  visible: readonly string[],
): WorkspaceMounts | string {
  const own = path.join(workspace, OWN);
  if (isOwnUnfit(workspace))
    return `${own} is a file or a link, and the person has to make it a folder first`;
  const points: MountPoint[] = [];
  const enter = (at: string): MountPoint | undefined => {
    const point = enterMountPoint(at, workspace);
    if (point !== undefined) points.push(point);
    return point;
  };
  // What is closed comes first: where some of it lies in pawl's own folder, that is not bare.
  const closed = hidden.filter((at) => isWithin(workspace, at)).flatMap((at) => closedAt(at, enter));
  const ownMounts = mountsOn(own, enter(own));
  return {
    mounts: [
      { is: 'writable', at: workspace, from: workspace },
      ...ownMounts,
      ...visible.map(readOnly),
      ...closed,
    ],
    leave: () => {
      for (const { leave } of points.reverse()) leave();
    },
  };
}

/** A bare one is shown as an empty one: the signs of calls in it are nothing for a program. */
const mountsOn = (own: string, point: MountPoint | undefined): Mount[] => {
  if (point === undefined) return [];
  return [point.isBare ? { is: 'empty', at: own } : readOnly(own)];
};

/** Behind a link or in place of a file, a program could make the folder itself, or change what is elsewhere. */
export function isOwnUnfit(workspace: string): boolean {
  return kindOf(path.join(workspace, OWN)) === 'other';
}

export const readOnly = (at: string): Mount => ({ is: 'read-only', at, from: at });

/** Nothing can be mounted on a folder that is not there, and a program would make it. */
function closedAt(at: string, enter: (at: string) => MountPoint | undefined): Mount[] {
  const kind = kindOf(at);
  if (kind === 'other') return [{ is: 'closed', at }];
  const isThere = enter(at) !== undefined || kind === 'folder';
  return isThere ? [{ is: 'empty', at }] : [];
}

function kindOf(file: string): 'none' | 'folder' | 'other' {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  return found.isDirectory() ? 'folder' : 'other';
}
