/** What outlives the processes of a run: its records, what was sent and answered, what was done to the world. */
import type { AssistantMessage, ReplyKind, Usage } from '../../machines/protocol.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { Fields } from '../helpers/strict-form.ts';
import type { SentReply } from '../helpers/strict-rules.ts';
import { Books } from './books.ts';
import { Bill } from './money.ts';
import type { Violation } from './must.ts';
import type { Random } from './random.ts';
import type { Profile } from './scenario.ts';
import type { ToolName } from './tools.ts';

/** A call as the model meant it. `key` is in its input, so that a tool knows for which call it is run. */
export interface MeantCall {
  readonly key: string;
  readonly id: string;
  readonly tool: ToolName;
  /** Whether there is any way in which this call may be run. */
  readonly mayRun: boolean;
}

export interface MeantReply {
  readonly message: AssistantMessage;
  readonly kind: ReplyKind;
  readonly usage: Usage;
  readonly isSummary: boolean;
  /** Which was asked. */
  readonly model: string;
  readonly calls: readonly MeantCall[];
}

/** What a request has cost that failed when some of its reply was there. */
export interface MeantFailure {
  readonly model: string;
  readonly usage: Usage;
}

export class World {
  records: readonly JournalRecord[] = [];
  /** So many of the records survive a power cut. */
  synced = 0;
  books: Books;
  requests: { readonly body: Fields; readonly recordsThen: number }[] = [];
  sent: SentReply[] = [];
  /** By the id of the message. */
  readonly replies = new Map<string, MeantReply>();
  /** By the name in its message. */
  readonly failures = new Map<string, MeantFailure>();
  /** By id. */
  readonly calls = new Map<string, MeantCall>();
  /** How often each call had its effect, by the key of its input. */
  readonly executions = new Map<string, number>();
  /** Numbers of the records by which an ended run was taken up again. */
  readonly takenUp = new Set<number>();
  processes = 0;
  readonly bill = new Bill();
  violation: Violation | undefined;
  #names = 0;

  constructor(
    readonly random: Random,
    readonly profile: Profile,
  ) {
    this.books = new Books(this);
  }

  newName(prefix: string): string {
    this.#names += 1;
    return `${prefix}_${this.#names}`;
  }

  /** The records that are left after a death, or that a fork takes along. */
  restore(records: readonly JournalRecord[], synced: number): void {
    this.records = records;
    this.synced = synced;
    this.books = new Books(this);
    for (const record of records) this.books.add(record);
  }

  /**
   * A world of its own, in which only those records and what led to them ever happened.
   * @param taken how many of this world's records there are among them; where it is 0, nothing was ever sent
   */
  fork(records: readonly JournalRecord[], taken: number): World {
    const fork = new World(this.random, this.profile);
    for (const [id, reply] of this.replies) fork.replies.set(id, reply);
    for (const [name, failure] of this.failures) fork.failures.set(name, failure);
    for (const [id, call] of this.calls) fork.calls.set(id, call);
    for (const seq of this.takenUp) fork.takenUp.add(seq);
    fork.requests = this.requests.filter(({ recordsThen }) => recordsThen <= taken);
    fork.sent = this.sent;
    fork.#names = this.#names;
    fork.processes = this.processes;
    fork.restore(records, records.length);
    for (const { id, key } of this.calls.values()) {
      const times = this.executions.get(key);
      if (times !== undefined && fork.books.startedIds.has(id)) fork.executions.set(key, times);
    }
    return fork;
  }
}
