/** A run's records as a journal of this machine. */
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { attempt, codeOf } from '../journal/failure.ts';
import { writeJournal } from '../journal/fork.ts';
import { JournalError } from '../journal/journal.ts';
import { readJournal } from '../journal/read.ts';
import type { JournalRecord } from '../journal/record.ts';

/**
 * Numbers and times stay. A journal that was pulled before is replaced by what has become of it.
 * Rejects with JournalError where there is another journal of this name, JournalCorrupt where it is damaged.
 */
export async function pullJournal(file: string, records: readonly JournalRecord[]): Promise<void> {
  const there = await readJournal(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (there === undefined) return writeJournal(file, records);
  if (!there.records.every((record, at) => isDeepStrictEqual(record, records[at])))
    throw new JournalError(
      `the journal ${file} says something else than the engine: it was gone on with here, or is of another run. Move it away first`,
    );
  const draft = `${file}.pulled`;
  attempt('write', file, () => fs.rmSync(draft, { force: true }));
  writeJournal(draft, records);
  attempt('write', file, () => fs.renameSync(draft, file));
}
