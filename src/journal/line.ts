/**
 * A record as one line of JSON. It begins with a checksum over the line before it and over its own text, so that a
 * changed, lost, doubled or reordered line is noticed at the first line that no longer follows from its predecessor.
 */
import { createHash } from 'node:crypto';
import type { CorruptReason } from './journal.ts';
import type { JournalRecord } from './record.ts';

/** What the first line follows from. */
export const GENESIS = '0'.repeat(16);
const PREFIX = '{"sum":"';
const SUM_END = PREFIX.length + GENESIS.length;

const checksum = (previous: string, json: string): string =>
  createHash('sha256').update(previous).update(json).digest('hex').slice(0, GENESIS.length);

export interface Line {
  /** With its line end. */
  readonly text: string;
  readonly sum: string;
}

export function encodeLine(record: JournalRecord, previous: string): Line {
  const json = JSON.stringify(record);
  const sum = checksum(previous, json);
  return { text: `${PREFIX}${sum}",${json.slice(1)}\n`, sum };
}

/** @param line without its line end. */
export function decodeLine(
  line: string,
  previous: string,
  seq: number,
): { record: JournalRecord; sum: string } | { reason: CorruptReason } {
  const sum = line.slice(PREFIX.length, SUM_END);
  if (!line.startsWith(PREFIX) || line.slice(SUM_END, SUM_END + 2) !== '",') return { reason: 'bad-json' };
  const json = `{${line.slice(SUM_END + 2)}`;
  if (checksum(previous, json) !== sum) return { reason: 'bad-checksum' };
  const record = JSON.parse(json) as JournalRecord;
  return record.seq === seq ? { record, sum } : { reason: 'bad-sequence' };
}
