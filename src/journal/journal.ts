import type { StateValue } from 'xstate';
import type { LoopContext } from '../../machines/context.ts';
import type { TaskContext } from '../../machines/task.ts';
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
  /** Keeps what the fold of all records so far comes to, so that it need not be done again. Losing it loses time alone. */
  keep?(state: FoldedState): void;
  /**
   * Stores what a file was before it is changed, and returns its digest. On the disk when it returns.
   * @throws Error of the system. Absent where nothing is stored.
   */
  keepFile?(content: Uint8Array): string;
}

/** The machines behind a record. It says which pawl made it: to another one it means nothing. */
export interface FoldedState {
  readonly pawl: string;
  readonly value: StateValue;
  readonly context: LoopContext;
  /** Of the task around the loop, which is being worked on. */
  readonly task: TaskContext;
}

/** @param seq number of the last record that is in it */
export interface KeptState extends FoldedState {
  readonly seq: number;
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
  | 'foreign-decision'
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
  /** Proved to belong to these records. */
  readonly kept?: KeptState | undefined;
}
