/** The records of a run that a person names, as far as they are sound. */
import { STOP_STATUSES } from '../../machines/status.ts';
import { type JournalContent, JournalCorrupt } from '../journal/journal.ts';
import { readJournal } from '../journal/read.ts';
import { type FoundRun, runMeant } from './find-run.ts';
import { counted, quoted, shortPath } from './format.ts';
import { printableLine } from './printable.ts';
import { checkRegularFile, reasonOf } from './read-file.ts';
import { tellError } from './tell.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

export interface ReadRun extends FoundRun, JournalContent {
  /** Why there may be more records than these. */
  readonly damage: JournalCorrupt | null;
}

export const LARGEST_JOURNAL_BYTES = 1_000_000_000;

export interface LastFlag {
  /** The newest run; no name is given then. */
  readonly last?: true;
}

/** @throws UsageError if no run is meant, there is no such run, or no file that can be read */
export async function readRun(run: string | undefined, { last }: LastFlag = {}): Promise<ReadRun> {
  const found = await runMeant(run, last);
  try {
    await checkRegularFile(found.file, LARGEST_JOURNAL_BYTES);
    return { ...found, ...(await readJournal(found.file)), damage: null };
  } catch (error) {
    if (error instanceof JournalCorrupt)
      return { ...found, records: error.records, tornBytes: 0, damage: error };
    throw new UsageError(
      `The run ${quoted(found.name)} cannot be read from ${shortPath(found.file)}: ${reasonOf(error)}. Give the id of a run or the path of its .jsonl file.`,
    );
  }
}

/**
 * The number of a record as it was written on the command line.
 * @param flag such as "--at". @throws UsageError with the numbers that there are
 */
export function seqOf(flag: string, text: string, { records, damage }: ReadRun): number {
  const seq = /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN;
  if (seq < records.length) return seq;
  const last = damage === null ? 'last record of this run' : 'last sound record of this run';
  throw new UsageError(
    `${flag} must be the number of a record, from 0 to ${records.length - 1} (the ${last}), not ${quoted(text)}.`,
  );
}

/** A journal that cannot be used, or not be written. */
export const DAMAGED_EXIT_CODE = STOP_STATUSES.journal_error.exitCode;

/** Tells on standard error what is wrong with a journal. @returns the exit code that it makes: 0 for a sound one */
export function tellDamage({ name, damage }: ReadRun): number {
  if (damage === null) return 0;
  tellError(printableLine(damageText(damage, name)));
  return DAMAGED_EXIT_CODE;
}

/** What is wrong with a journal, how much of it is sound, and how that is gone on with. @param run what pawl calls it */
export function damageText({ message, records }: JournalCorrupt, run: string): string {
  if (records.length === 0) return `${message}.`;
  const sound = `${counted(records.length, 'record')} before it ${records.length === 1 ? 'is' : 'are'} sound`;
  return `${message}. ${sound}: ${typed('fork')} ${run} --at ${records.length - 1} goes on from there.`;
}
