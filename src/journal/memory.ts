import { type Journal, JournalError } from './journal.ts';
import type { JournalRecord } from './record.ts';

/**
 * A journal that ends with the process: for tests, embedding, and runs that leave no trace.
 * @param earlier the records it goes on behind, copied. They must be a journal's: numbered from 0
 */
export function memoryJournal(
  now: () => number = Date.now,
  earlier: readonly JournalRecord[] = [],
): Journal & { readonly records: readonly JournalRecord[] } {
  const records: JournalRecord[] = JSON.parse(JSON.stringify(earlier));
  let isClosed = false;
  const checkOpen = () => {
    if (isClosed) throw new JournalError('the journal in memory is closed');
  };
  return {
    location: 'memory',
    records,
    append(body) {
      checkOpen();
      const stored = JSON.stringify({ seq: records.length, at: new Date(now()).toISOString(), ...body });
      const record: JournalRecord = JSON.parse(stored);
      records.push(record);
      return record;
    },
    async sync() {
      checkOpen();
    },
    async close() {
      isClosed = true;
    },
  };
}
