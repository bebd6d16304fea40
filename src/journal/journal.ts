import type { JournalRecord, RecordBody } from './record.ts';

/**
 * An append-only list of records with one writer. Order: `append` fixes the place of a record at once and hands it
 * to the system (it survives the end of this process); `sync` makes everything appended so far survive a power cut.
 */
export interface Journal {
  /** Where the records are, for messages to people: a path, or "memory". */
  readonly location: string;
  /** @throws JournalError when the record could not be written; nothing may be appended after that. */
  append(body: RecordBody): JournalRecord;
  /** Rejects with JournalError when durability cannot be had. Concurrent calls share one system call. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The journal could not be written: the run must stop before anything else happens. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/** Another process writes this journal. The message names it. */
export class JournalHeld extends JournalError {
  override readonly name = 'JournalHeld';
}

export type CorruptReason =
  | 'empty'
  | 'no-header'
  | 'bad-json'
  | 'bad-checksum'
  | 'bad-sequence'
  | 'newer-version';

/** The journal cannot be read beyond `records`. A torn last line is no corruption: it is reported and left out. */
export class JournalCorrupt extends Error {
  override readonly name = 'JournalCorrupt';
  /** @param problem what is wrong, for where the file is named already; the message is this with the file */
  constructor(
    file: string,
    readonly problem: string,
    readonly reason: CorruptReason,
    readonly line: number,
    /** The good part before the damage. */
    readonly records: readonly JournalRecord[] = [],
  ) {
    super(`${file}, ${problem}`);
  }
}

/** What a reader gets: the records, and how many bytes of an incomplete last line were left out. */
export interface JournalContent {
  readonly records: readonly JournalRecord[];
  readonly tornBytes: number;
}

/** A journal that goes on behind the records it has. */
export interface OpenedJournal extends JournalContent {
  readonly journal: Journal;
}
