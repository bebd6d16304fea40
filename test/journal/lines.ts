/** Journals as lists of lines, to be damaged. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeLine, GENESIS } from '../../src/journal/line.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { scratchFolder } from '../helpers/scratch.ts';

/** One text for each record, with its line end. @param renumber may give a record another number than its place */
export function linesOf(
  bodies: readonly RecordBody[],
  renumber: (place: number) => number = (place) => place,
): string[] {
  let sum = GENESIS;
  return bodies.map((body, place) => {
    const record: JournalRecord = { seq: renumber(place), at: '2026-11-30T09:45:12.000Z', ...body };
    const line = encodeLine(record, sum);
    sum = line.sum;
    return line.text;
  });
}

export function journalFile(content: string | Uint8Array): string {
  const file = path.join(scratchFolder(), 'a-run.jsonl');
  writeFileSync(file, content);
  return file;
}
