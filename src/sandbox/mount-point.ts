/**
 * Folders of the workspace that a call mounts something on, so that its program cannot make them. What is made for that goes
 * with the last call that needs it. A folder that is removed under a mount takes the mount along, also in the namespace of
 * another process, whose program could then make it: so each call puts an empty folder of its own into a bare one, and the
 * system removes only what is empty. An empty folder is no change to git.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';

export interface MountPoint {
  /** Nothing but such signs is in it: whoever looks in finds nothing. */
  readonly isBare: boolean;
  /** For when nothing of the call is left that could use it. */
  readonly leave: () => void;
}

const UNTOUCHED: MountPoint = { isBare: true, leave: () => {} };
const SIGN = '.mounted-';
/** The last call may leave the folder between its making and the sign. */
const TRIES = 10;

/** @returns undefined where it is not there and cannot be made: then programs cannot either */
export function enterMountPoint(folder: string): MountPoint | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const made = madeIn(folder);
    if (made === undefined) return undefined;
    const signs = namesIn(folder);
    if (signs.some((name) => !name.startsWith(SIGN))) return { isBare: false, leave: () => {} };
    const sign = path.join(folder, `${SIGN}${randomUUID()}`);
    const failure = failureOf(() => mkdirSync(sign));
    if (failure === 'ENOENT') continue;
    // Who cannot write there cannot have made it.
    if (failure !== undefined) return UNTOUCHED;
    const isOurs = made !== '' || signs.length > 0;
    return { isBare: true, leave: () => leave(sign, isOurs ? made || folder : undefined) };
  }
  // bwrap makes what is missing, and that stays.
  return UNTOUCHED;
}

/** @param outermost of the folders that go if they are empty; undefined: a person made them */
function leave(sign: string, outermost: string | undefined): void {
  failureOf(() => rmdirSync(sign));
  if (outermost === undefined) return;
  for (let at = path.dirname(sign); ; at = path.dirname(at)) {
    // Not empty: another call needs it, or something was put there meanwhile.
    if (failureOf(() => rmdirSync(at)) !== undefined || at === outermost) return;
  }
}

/** @returns the outermost folder that was made, '' where all were there, undefined where it cannot be made */
function madeIn(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true }) ?? '';
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? '' : undefined;
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
