/**
 * The state of a long run, kept beside its journal: a cache, and no more. The fold of ten thousand records takes half a second
 * that a resumed run need not wait. It is bound to the records by the checksum of the last one in it; whatever does not fit
 * is passed over, and the fold is done as if nothing had been kept.
 */
import fs from 'node:fs';
import type { KeptState } from './journal.ts';

interface Kept extends KeptState {
  /** Of the line of that record; all before it are in it by the chain. */
  readonly sum: string;
}

/** More was never written by pawl. */
const LARGEST_BYTES = 10_000_000;

const pathOf = (journal: string): string => `${journal}.state`;

/** A failure is no loss: the records are the truth, and have been written. */
export function keepState(journal: string, state: KeptState, sum: string): void {
  const file = pathOf(journal);
  const draft = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(draft, JSON.stringify({ ...state, sum } satisfies Kept), { mode: 0o600, flag: 'w' });
    fs.renameSync(draft, file);
  } catch {
    fs.rmSync(draft, { force: true });
  }
}

/** @param sums checksums of the records that there are */
export function keptState(journal: string, sums: readonly string[]): KeptState | undefined {
  try {
    const found = fs.lstatSync(pathOf(journal));
    if (!found.isFile() || found.size > LARGEST_BYTES) return undefined;
    const { sum, ...state } = JSON.parse(fs.readFileSync(pathOf(journal), 'utf8')) as Kept;
    return sums[state.seq] === sum ? state : undefined;
  } catch {
    return undefined;
  }
}
