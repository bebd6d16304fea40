import { type Journal, JournalError } from './journal.ts';
import type { JournalRecord, RecordBody } from './record.ts';
import type { Transcript } from './transcript.ts';

/**
 * The journal together with what its records mean for the next request. Jobs write here; an event reaches the machine
 * only after its record was written, and in the order of the records.
 */
export class RunLog {
  /** What could not be written; the run ends with it. */
  failure: JournalError | undefined;

  constructor(
    readonly journal: Journal,
    readonly transcript: Transcript,
    private readonly onRecord: (record: JournalRecord) => void,
  ) {}

  /** For facts with nothing to lose but work that can be repeated: a read, a verdict. The next `save` covers them. */
  note(body: RecordBody): void {
    const record = this.#guarded(() => this.journal.append(body));
    this.transcript.apply(record);
    this.onRecord(record);
  }

  /** For facts that something irrevocable follows: resolves when the record, and all before it, are on the disk. */
  async save(body: RecordBody): Promise<void> {
    this.note(body);
    await this.sync();
  }

  /** Resolves when all that was noted is on the disk. */
  async sync(): Promise<void> {
    try {
      await this.journal.sync();
    } catch (error) {
      throw this.#remembered(error);
    }
  }

  #guarded<Value>(write: () => Value): Value {
    try {
      return write();
    } catch (error) {
      throw this.#remembered(error);
    }
  }

  #remembered(error: unknown): unknown {
    if (error instanceof JournalError) this.failure ??= error;
    return error;
  }
}
