import fs from 'node:fs/promises';
import { type CorruptReason, type JournalContent, JournalCorrupt } from './journal.ts';
import { isJson, isTornLine } from './line.ts';
import { type Flaw, Proof } from './proof.ts';
import type { JournalRecord } from './record.ts';

const WORDS: Record<CorruptReason, string> = {
  empty: 'there is no record in it: the run never began, and the file can be deleted',
  'no-header': 'it does not begin with the record run.started',
  'bad-json': 'the line is no record',
  'bad-checksum': 'the line does not follow from the one before it: it was changed, or a line is missing',
  'bad-sequence': 'the records are not numbered in order',
  'foreign-decision': 'it decides about another call than the one that was to be decided about',
  'newer-version': 'it was written by a newer pawl',
};

/** Reads a journal and proves it. Rejects as `proveRecords` throws, and with the system's error if there is no reading it. */
export async function readJournal(file: string): Promise<JournalContent> {
  const { records, tornBytes } = proveRecords(file, await fs.readFile(file));
  return { records, tornBytes };
}

/**
 * Proves each line. What a crash leaves at the end is left out and counted in `tornBytes`: a last line that has no line
 * end, or is no JSON (zeros, where the content did not reach the disk). A last line that is whole and still does not
 * follow from the one before it is damage: left out as torn, it would be done again. `sums` are the checksums of the good
 * lines; the next line must follow from the last of them.
 * @throws JournalCorrupt for everything else, with the good part before the damage
 */
export function proveRecords(
  file: string,
  bytes: Buffer,
): JournalContent & { readonly sums: readonly string[] } {
  const records: JournalRecord[] = [];
  const sums: string[] = [];
  const proof = new Proof();
  let start = 0;
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    const line = bytes.subarray(start, end);
    const taken = proof.take(line);
    if ('reason' in taken) {
      const isLast = end === bytes.length - 1;
      if (isLast && records.length > 0 && !isJson(line)) break;
      throw corrupt(file, neverBegan(bytes) ? NEVER_BEGAN : taken, records);
    }
    records.push(taken.record);
    sums.push(proof.sum);
    start = end + 1;
  }
  if (records.length === 0) throw corrupt(file, neverBegan(bytes) ? NEVER_BEGAN : NO_RECORD, []);
  return { records, tornBytes: bytes.length - start, sums };
}

const NEVER_BEGAN: Flaw = { reason: 'empty', more: '' };
const NO_RECORD: Flaw = { reason: 'bad-json', more: '' };

/** Nothing happens before the header is whole: where it never was, there is nothing to lose. */
const neverBegan = (bytes: Buffer): boolean =>
  isTornLine(bytes) || bytes.every((byte) => byte === 0 || byte === LF);

const LF = 10;

function corrupt(file: string, flaw: Flaw, good: readonly JournalRecord[]): JournalCorrupt {
  const line = good.length + 1;
  return new JournalCorrupt(file, problemOf(flaw, line), flaw.reason, line, good);
}

/** A flaw in words, without the name of the file. @param line from 1 */
export const problemOf = ({ reason, more }: Flaw, line: number): string =>
  `line ${line}: ${WORDS[reason]}${more}`;
