import type { Journal } from './journal.ts';
import type { JournalRecord } from './record.ts';

/** A journal that ends with the process: for tests, embedding, and runs that leave no trace. */
export function memoryJournal(
  now: () => number = Date.now,
): Journal & { readonly records: readonly JournalRecord[] } {
  const records: JournalRecord[] = [];
  return {
    location: 'memory',
    records,
    append(body) {
      const record = structuredClone({ seq: records.length, at: new Date(now()).toISOString(), ...body });
      records.push(record);
      return record;
    },
    sync: async () => {},
    close: async () => {},
  };
}
