import fs from 'node:fs/promises';
import { type CorruptReason, type JournalContent, JournalCorrupt } from './journal.ts';
import { decodeLine, GENESIS, isJson, isTornLine } from './line.ts';
import { type JournalRecord, RECORD_VERSION } from './record.ts';
import { upgraded } from './upgrade.ts';

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
  const decisions = new Decisions();
  let sum = GENESIS;
  let start = 0;
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
    const line = bytes.subarray(start, end);
    const decoded = decodeLine(line, sum, records.length);
    if ('reason' in decoded) {
      const isLast = end === bytes.length - 1;
      if (isLast && records.length > 0 && !isJson(line)) break;
      throw corrupt(file, neverBegan(bytes) ? 'empty' : decoded.reason, records.length + 1, records);
    }
    checkReadable(file, decoded.record, records);
    if (!decisions.fits(decoded.record)) throw corrupt(file, 'foreign-decision', records.length + 1, records);
    records.push(isOld(records[0] ?? decoded.record) ? upgraded(decoded.record) : decoded.record);
    sum = decoded.sum;
    sums.push(sum);
    start = end + 1;
  }
  if (records.length === 0) throw corrupt(file, neverBegan(bytes) ? 'empty' : 'bad-json', 1, []);
  return { records, tornBytes: bytes.length - start, sums };
}

/** A person's decision is bound to the call by its fingerprint, whoever wrote the record. */
class Decisions {
  #reviewed: ReadonlyMap<string, string> = new Map();

  fits(record: JournalRecord): boolean {
    if (record.type === 'calls.reviewed')
      this.#reviewed = new Map(record.verdicts.map(({ callId, fingerprint }) => [callId, fingerprint]));
    if (record.type !== 'approval.granted' && record.type !== 'approval.denied') return true;
    const { callId, fingerprint } = record;
    return fingerprint === undefined || fingerprint === this.#reviewed.get(callId);
  }
}

/** Nothing happens before the header is whole: where it never was, there is nothing to lose. */
const neverBegan = (bytes: Buffer): boolean =>
  isTornLine(bytes) || bytes.every((byte) => byte === 0 || byte === LF);

const LF = 10;

const isOld = (header: JournalRecord): boolean => header.type === 'run.started' && header.version < 2;

/** A newer pawl may have begun the run, or have gone on with it: from there on, records may say what this one does not know. */
function checkReadable(file: string, record: JournalRecord, before: readonly JournalRecord[]): void {
  const line = before.length + 1;
  if (line === 1 && record.type !== 'run.started') throw corrupt(file, 'no-header', 1, []);
  const isFromHere = record.type === 'run.started' || record.type === 'run.resumed';
  if (isFromHere && record.version > RECORD_VERSION)
    throw corrupt(file, 'newer-version', line, before, ` (${record.pawl})`);
}

function corrupt(
  file: string,
  reason: CorruptReason,
  line: number,
  good: readonly JournalRecord[],
  more = '',
): JournalCorrupt {
  return new JournalCorrupt(file, `line ${line}: ${WORDS[reason]}${more}`, reason, line, good);
}
