/**
 * One writer for each journal. The lock of `a-run.jsonl` is a file `a-run.lock-<n>` that says who holds it.
 *
 * Taking it: (1) look at all lock files; one whose holder is not dead means held. (2) Make a claim under the next number:
 * link(2) gives a draft its name, so a lock file is complete from its first moment, and of those who saw the same files
 * one gets the name. (3) Look again; if anybody else is there who is not dead, take the claim back and start over.
 * (4) Remove what the dead left. Numbers only spread names; no order among them is relied on.
 *
 * Why no two hold it: each of them made its claim before it looked again, so the later one of two sees the earlier claim
 * and gives way, however long it was delayed, unless that claim was removed. A claim is removed by its maker, or in step 4
 * by somebody who found it dead. The dead stay dead, and only a holder removes what is not its own, each name once: so
 * the name cannot have passed to a living claim in between, as long as there was one holder until then. Two that give way
 * to each other try again; one that meets such a claim in step 1 reports it as held.
 *
 * A file that vanishes between two steps was taken back or cleared away: it does not count. A draft is only a name to link
 * from: the holder removes all it finds, dead or not, and a maker whose draft is gone starts over and finds the holder.
 * A lock file that says nothing (empty, no JSON) was complete once, and what is in the system's cache does not change under
 * a living process: a power cut did that, or a person. It counts as dead. What cannot be read as a file under such a name
 * (a pipe, a folder, a link) was made by no pawl: it is left alone and named, for a person to judge. It must be on a file
 * system with hard links.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Holder, parseHolder, type Standing, standingOf, thisProcess } from '../sandbox/holder.ts';
import { attempt, codeOf } from './failure.ts';
import { JournalError, JournalHeld } from './journal.ts';
import { contentOf, remove } from './lock-file.ts';

export interface Lock {
  /** @throws JournalError if the lock file cannot be removed. */
  release(): void;
}

/** Each attempt that fails is another process's progress; so many in a row mean that something else is wrong. */
const MAX_ATTEMPTS = 100;

/**
 * Takes the lock of a journal, which need not exist yet; its folder must. The lock of a dead process is replaced at once.
 * @throws JournalHeld, which names the holder; JournalError if the lock cannot be looked at or made
 */
export function acquireLock(journalFile: string, now: () => number = Date.now): Lock {
  return attempt('lock', journalFile, () => {
    const place = placeOf(journalFile);
    const here = thisProcess(now());
    const text = `${JSON.stringify(here)}\n`;
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      const own = claim(place, here, text);
      if (own !== undefined) return { release: () => attempt('unlock', journalFile, () => drop(own, text)) };
    }
    throw new JournalError(`could not lock the journal ${journalFile}: its lock files keep changing`);
  });
}

/** Who writes the journal at present: for readers, changes nothing. @throws JournalError if that cannot be looked at */
export function holderOf(journalFile: string): Holder | undefined {
  return attempt('look at the lock of', journalFile, () => {
    const place = placeOf(journalFile);
    if (!fs.existsSync(place.folder)) return undefined;
    return look(place, thisProcess(0)).locks.find(isHeld)?.holder;
  });
}

interface Place {
  readonly folder: string;
  readonly run: string;
}

/** Beside the file itself, whatever link it was reached by. */
function placeOf(journalFile: string): Place {
  const file = fs.existsSync(journalFile) ? fs.realpathSync(journalFile) : path.resolve(journalFile);
  return { folder: path.dirname(file), run: path.basename(file, '.jsonl') };
}

const lockFile = ({ folder, run }: Place, suffix: number | string): string =>
  path.join(folder, `${run}.lock-${suffix}`);

/** @returns the lock file, or undefined if somebody else was faster and it is worth another look */
function claim(place: Place, here: Holder, text: string): string | undefined {
  const { locks } = look(place, here);
  const held = locks.find(isHeld);
  if (held !== undefined) throw new JournalHeld(describe(place, held));
  const own = lockFile(place, 1 + Math.max(0, ...locks.map(({ number }) => number)));
  if (!linkWhole(place, own, text)) return undefined;
  const after = look(place, here);
  const others = after.locks.filter(({ file }) => file !== own);
  if (others.some(isHeld)) {
    remove(own);
    return undefined;
  }
  for (const file of [...others.map(({ file }) => file), ...after.drafts]) remove(file);
  return own;
}

function linkWhole(place: Place, own: string, text: string): boolean {
  const draft = lockFile(place, `draft-${randomUUID()}`);
  try {
    fs.writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    fs.linkSync(draft, own);
    return true;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && error.syscall === 'link') {
      if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false;
    }
    throw error;
  } finally {
    remove(draft);
  }
}

/** A person may have removed the lock and another process taken it since: what is not our own stays. */
function drop(own: string, text: string): void {
  if (contentOf(own) === text) remove(own);
}

interface FoundLock {
  readonly file: string;
  readonly number: number;
  readonly holder: Holder | undefined;
  readonly standing: Standing;
}

const isHeld = ({ standing }: FoundLock): boolean => standing !== 'dead';

function look(place: Place, here: Holder): { locks: FoundLock[]; drafts: string[] } {
  const prefix = `${place.run}.lock-`;
  const suffixes = fs
    .readdirSync(place.folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  const locks = suffixes
    .filter((suffix) => /^[1-9]\d{0,14}$/.test(suffix))
    .flatMap((suffix): FoundLock[] => {
      const file = lockFile(place, suffix);
      const content = contentOf(file);
      if (content === undefined) return [];
      const holder = parseHolder(content);
      const standing = holder === undefined ? 'dead' : standingOf(holder, here);
      return [{ file, number: Number(suffix), holder, standing }];
    });
  const drafts = suffixes
    .filter((suffix) => suffix.startsWith('draft-'))
    .map((suffix) => lockFile(place, suffix));
  return { locks, drafts };
}

function describe({ run }: Place, { file, holder, standing }: FoundLock): string {
  const since = holder?.since ? ` (since ${holder.since})` : '';
  const held = `the run ${run} is held by process ${holder?.pid}${since}`;
  if (standing === 'alive') return held;
  const where = holder?.host ? ` on ${JSON.stringify(holder.host)}` : '';
  return `${held}${where}, which cannot be checked from here; if that process is gone, remove ${file}`;
}
