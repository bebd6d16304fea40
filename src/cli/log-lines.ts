import type { JournalRecord } from '../journal/record.ts';
import { fitted } from './fitted.ts';
import { duration } from './format.ts';
import { RecordGist } from './record-gist.ts';
import type { Style } from './style.ts';

/** As long as the longest name of a record. */
const TYPE_WIDTH = 16;
const TIME_WIDTH = 9;

/** One line for each record: number, time since the first record, type, gist. */
export class LogLines {
  readonly #gist = new RecordGist();
  readonly #numberWidth: number;
  readonly #startedAt: number;

  /** @param records of the whole run. @param width columns that no line exceeds; Infinity: they are whole */
  constructor(
    private readonly records: readonly JournalRecord[],
    private readonly width: number,
    private readonly style: Style,
  ) {
    this.#numberWidth = Math.max(3, String(records.length - 1).length);
    this.#startedAt = Date.parse(records[0]?.at ?? '');
  }

  /** @param from number of the first record that is told; the ones before it are read */
  *from(from: number): Generator<string> {
    for (const [at, record] of this.records.entries()) {
      const gist = this.#gist.of(record, this.records[at + 1]);
      if (record.seq >= from) yield this.#line(record, gist);
    }
  }

  #line({ seq, at, type }: JournalRecord, gist: string): string {
    const { dim, bold } = this.style;
    const place = `${String(seq).padStart(this.#numberWidth)} ${this.#time(at).padStart(TIME_WIDTH)}`;
    const name = type.padEnd(TYPE_WIDTH);
    const left = this.width - place.length - name.length - 4;
    return `${dim(place)}  ${bold(name)}  ${fitted(gist, left)}`.trimEnd();
  }

  /** Clocks are set back, and a header may come from elsewhere. */
  #time(at: string): string {
    const ms = Date.parse(at) - this.#startedAt;
    return Number.isNaN(ms) ? '?' : duration(Math.max(0, ms));
  }
}

/** Columns that a terminal has; where there is none, nothing is shortened, and no line is broken. */
export const outputColumns = (): number => process.stdout.columns || Number.POSITIVE_INFINITY;
