/**
 * Folders of the workspace that a call mounts something on, so that its program cannot make them. What is made for that goes
 * with the last call that needs it. A folder that is removed under a mount takes the mount along, also in the namespace of
 * another process, whose program could then make it: so each call puts an empty folder of its own into a bare one, and the
 * system removes only what is empty. An empty folder is no change to git. What a killed pawl has left there goes with the
 * next call.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readSign, signOf } from './mount-sign.ts';
import { isMounted, removeEmpty } from './mounted.ts';
import { isWithin } from './view.ts';

export interface MountPoint {
  /** Nothing but such signs is in it: whoever looks in finds nothing. */
  readonly isBare: boolean;
  /** For when nothing of the call is left that could use it. */
  readonly leave: () => void;
}

const UNTOUCHED: MountPoint = { isBare: true, leave: () => {} };
/** The last call may leave the folder between its making and the sign. */
const TRIES = 10;

/** @returns undefined where it is not there and cannot be made: then programs cannot either */
export function enterMountPoint(folder: string, workspace: string): MountPoint | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const madeNow = makeIn(folder);
    if (madeNow === undefined) return undefined;
    const names = namesIn(folder);
    const signs = names.flatMap((name) => readSign(name) ?? []);
    if (signs.length < names.length) {
      clear(folder, names);
      return { isBare: false, leave: () => {} };
    }
    const made = Math.max(madeNow, ...signs.map((one) => one.made));
    const sign = signOf(made);
    const failure = failureOf(() => mkdirSync(path.join(folder, sign)));
    if (failure === 'ENOENT') continue;
    // Who cannot write there cannot have made it.
    if (failure !== undefined) return UNTOUCHED;
    // Only now: it is never without a sign, so that no other call removes it.
    clear(folder, names);
    return { isBare: true, leave: () => leave(path.join(folder, sign), made, workspace) };
  }
  // bwrap makes what is missing, and that stays.
  return UNTOUCHED;
}

/** Removes the signs of dead processes, unless something that they have started still lives for a moment. */
function clear(folder: string, names: readonly string[]): void {
  const dead = names.filter((name) => readSign(name)?.isOfDead);
  if (dead.length === 0 || isMounted(folder)) return;
  for (const name of dead) removeEmpty(path.join(folder, name));
}

/** @param made so many of the folders around go if they are empty; the others a person has made */
function leave(sign: string, made: number, workspace: string): void {
  removeEmpty(sign);
  let at = path.dirname(sign);
  for (let count = 0; count < made && at !== workspace && isWithin(workspace, at); count += 1) {
    // Not empty: another call needs it, or something was put there meanwhile.
    if (!removeEmpty(at)) return;
    at = path.dirname(at);
  }
}

/** @returns how many folders were made, undefined where it cannot be made */
function makeIn(folder: string): number | undefined {
  try {
    const outermost = mkdirSync(folder, { recursive: true });
    if (outermost === undefined) return 0;
    return path.relative(path.dirname(outermost), folder).split(path.sep).length;
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? 0 : undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Left by its last call a moment ago.
    if (codeOf(error) === 'ENOENT') return [];
    // What nobody may read here is mounted as it is.
    return ['?'];
  }
}

function failureOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return codeOf(error) ?? 'unknown';
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
