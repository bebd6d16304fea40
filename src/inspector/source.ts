/** Where the records of a run come from: a journal file, whoever writes it, or the memory of this process. */
import { type Followed, followJournal, type Reader } from '../journal/follow.ts';
import type { JournalRecord } from '../journal/record.ts';

export interface RecordSource {
  /** Each reader reads for itself, at its own pace. */
  follow(reader: Reader): AsyncGenerator<Followed>;
}

export const fileSource = (file: string): RecordSource => ({
  follow: (reader) => followJournal(file, reader),
});

/** For a run that leaves no journal. Its records are kept here. */
export class MemorySource implements RecordSource {
  readonly records: JournalRecord[] = [];
  readonly #listeners = new Set<() => void>();

  add(record: JournalRecord): void {
    this.records.push(record);
    for (const listener of this.#listeners) listener();
  }

  async *follow({ left, ending }: Reader): AsyncGenerator<Followed> {
    let next = 0;
    let wake = () => {};
    const listener = () => wake();
    const signals = [left, ending];
    this.#listeners.add(listener);
    for (const signal of signals) signal.addEventListener('abort', listener);
    try {
      while (!left.aborted) {
        const records = this.records.slice(next, next + MOST_AT_ONCE);
        next += records.length;
        if (records.length > 0) yield { type: 'records', records };
        if (next < this.records.length) continue;
        yield { type: 'caught-up' };
        if (ending.aborted) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (next < this.records.length || signals.some(({ aborted }) => aborted)) resolve();
        });
      }
    } finally {
      this.#listeners.delete(listener);
      for (const signal of signals) signal.removeEventListener('abort', listener);
    }
  }
}

const MOST_AT_ONCE = 100;
