/**
 * A record as one line of JSON. It begins with a checksum over the line before it and over its own text, so that a
 * changed, lost, doubled or reordered line is noticed at the first line that no longer follows from its predecessor.
 */
import { hash } from 'node:crypto';
import type { CorruptReason } from './journal.ts';
import type { JournalRecord } from './record.ts';

/** What the first line follows from. */
export const GENESIS = '0'.repeat(16);
const PREFIX = '{"sum":"';
const SUM_END = PREFIX.length + GENESIS.length;

/** @param data the sum before it, and the record's JSON. */
const checksum = (data: string | Buffer): string => hash('sha256', data, 'hex').slice(0, GENESIS.length);

export interface Line {
  /** With its line end. */
  readonly text: string;
  readonly sum: string;
  /** As a reader will find it: nothing of it is shared with what was handed in. */
  readonly record: JournalRecord;
}

export function encodeLine(record: JournalRecord, previous: string): Line {
  const json = JSON.stringify(record);
  const sum = checksum(previous + json);
  return { text: `${PREFIX}${sum}",${json.slice(1)}\n`, sum, record: JSON.parse(json) };
}

/** @param line without its line end. Its bytes are proved, since some changes of them vanish in the text. */
export function decodeLine(
  line: Buffer,
  previous: string,
  seq: number,
): { record: JournalRecord; sum: string } | { reason: CorruptReason } {
  const head = line.toString('latin1', 0, SUM_END + 2);
  const sum = head.slice(PREFIX.length, SUM_END);
  if (head !== `${PREFIX}${sum}",`) return { reason: 'bad-json' };
  const rest = line.subarray(SUM_END + 2);
  if (checksum(Buffer.concat([Buffer.from(`${previous}{`), rest])) !== sum) return { reason: 'bad-checksum' };
  const record = parse(`{${rest}`);
  if (record === undefined) return { reason: 'bad-json' };
  return record.seq === seq ? { record, sum } : { reason: 'bad-sequence' };
}

/** Whether a text without a line end may be what was written of a line until a crash. */
export const isTornLine = (bytes: Buffer): boolean =>
  !bytes.includes('\n') && PREFIX.startsWith(bytes.toString('latin1', 0, PREFIX.length));

export const isJson = (line: Buffer): boolean => parse(line.toString('utf8')) !== undefined;

/** The checksum is no secret: whoever edits a journal can make one that fits a line of nonsense. */
function parse(json: string): JournalRecord | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
