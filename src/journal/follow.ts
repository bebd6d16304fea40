/**
 * Reads a journal while another process, or this one, writes it. Nothing is held but the part of the file that is being
 * looked at: whoever reads slowly is waited for.
 */
import { type FSWatcher, watch } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, reasonOf } from './failure.ts';
import { isJson } from './line.ts';
import { type Flaw, Proof } from './proof.ts';
import { problemOf } from './read.ts';
import type { JournalRecord } from './record.ts';

export type Followed =
  | { readonly type: 'records'; readonly records: readonly JournalRecord[] }
  /** All that there is was told; told again whenever that becomes so. */
  | { readonly type: 'caught-up' }
  | { readonly type: 'gone' }
  | { readonly type: 'damaged'; readonly problem: string };

export interface Reader {
  /** The reader has left. */
  readonly left: AbortSignal;
  /** Nothing will be written any more: what is there is told, and then the reading ends. */
  readonly ending: AbortSignal;
}

/** How long a change may go unnoticed where the system tells of none. */
const POLL_MS = 500;
/** How long further changes are gathered. */
const BREATH_MS = 80;
const CHUNK_BYTES = 65_536;
/** No line of pawl's is longer; without an end to a line, a reader would hold the whole file. */
const LONGEST_LINE_BYTES = 64 * 1_048_576;

/**
 * All records of a journal, then those that are added. What is not a whole line yet is waited for: it may be a record that
 * is being written, or what a crash has left and the next process cuts off. Ends with `gone`, `damaged`, or by the reader.
 */
export async function* followJournal(file: string, { left, ending }: Reader): AsyncGenerator<Followed> {
  let handle: FileHandle;
  try {
    handle = await openRegular(file);
  } catch (error) {
    yield codeOf(error) === 'ENOENT' ? GONE : { type: 'damaged', problem: reasonOf(error) };
    return;
  }
  const waiting = new Changes(file, [left, ending]);
  const reading = new Reading(handle);
  try {
    for (let isTold = false; !left.aborted; ) {
      const isLast = ending.aborted;
      let isNew = !isTold;
      for await (const found of reading.pass()) {
        yield found;
        if (found.type !== 'records') return;
        isNew = true;
      }
      if (isNew) yield { type: 'caught-up' };
      isTold = true;
      if (isLast) return;
      await waiting.next();
      if (!(await isSameFile(file, handle))) {
        yield GONE;
        return;
      }
    }
  } finally {
    waiting.close();
    await handle.close();
  }
}

const GONE: Followed = { type: 'gone' };

/** Opening a FIFO would wait for a writer. */
async function openRegular(file: string): Promise<FileHandle> {
  const handle = await fs.open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error('it is no regular file');
}

async function isSameFile(file: string, handle: FileHandle): Promise<boolean> {
  const [found, own] = await Promise.all([fs.stat(file).catch(() => undefined), handle.stat()]);
  return found !== undefined && found.ino === own.ino && found.dev === own.dev;
}

/** Where in the file the good lines end, and what comes behind them. */
class Reading {
  #offset = 0;
  /** How the file looked when it was read to its end last. */
  #seen = '';
  readonly #proof = new Proof();

  constructor(private readonly handle: FileHandle) {}

  /** What is new since the last pass. A torn end is read again by the next one, for it may have been cut off meanwhile. */
  async *pass(): AsyncGenerator<Exclude<Followed, { type: 'caught-up' }>> {
    const { size, mtimeMs } = await this.handle.stat();
    const seen = `${size} ${mtimeMs}`;
    if (seen === this.#seen) return;
    if (size < this.#offset) {
      yield { type: 'damaged', problem: 'it was cut or written anew while it was read' };
      return;
    }
    this.#seen = seen;
    let rest = Buffer.alloc(0);
    for (;;) {
      const room = Math.max(CHUNK_BYTES, rest.length);
      const chunk = await bytesAt(this.handle, this.#offset + rest.length, room);
      if (chunk.length === 0) return;
      const { records, behind, flaw } = this.#lines(Buffer.concat([rest, chunk]));
      if (records.length > 0) yield { type: 'records', records };
      if (flaw && !(await this.#isTornEnd(behind))) {
        yield { type: 'damaged', problem: problemOf(flaw, this.#proof.count + 1) };
        return;
      }
      if (flaw) return;
      rest = behind;
    }
  }

  #lines(bytes: Buffer): { records: JournalRecord[]; behind: Buffer<ArrayBuffer>; flaw?: Flaw } {
    const records: JournalRecord[] = [];
    let start = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      const taken = this.#proof.take(bytes.subarray(start, end));
      if ('reason' in taken) return { records, behind: Buffer.from(bytes.subarray(start)), flaw: taken };
      records.push(taken.record);
      this.#offset += end + 1 - start;
      start = end + 1;
    }
    const behind = Buffer.from(bytes.subarray(start));
    return behind.length > LONGEST_LINE_BYTES
      ? { records, behind, flaw: { reason: 'bad-json', more: '' } }
      : { records, behind };
  }

  /** As in `proveRecords`: a last line that is no JSON. @param behind from the line with the flaw on */
  async #isTornEnd(behind: Buffer): Promise<boolean> {
    const end = behind.indexOf('\n');
    if (end === -1 || end < behind.length - 1 || this.#proof.count === 0) return false;
    const next = await bytesAt(this.handle, this.#offset + behind.length, 1);
    return next.length === 0 && !isJson(behind.subarray(0, end));
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Waits until a file may have changed. */
class Changes {
  #watcher: FSWatcher | undefined;
  #isChanged = false;
  #wake = () => {};
  readonly #over: AbortSignal;
  readonly #changed = () => {
    this.#isChanged = true;
    this.#wake();
  };

  constructor(file: string, signals: readonly AbortSignal[]) {
    this.#over = AbortSignal.any([...signals]);
    this.#over.addEventListener('abort', this.#changed);
    try {
      this.#watcher = watch(file, { persistent: false }, this.#changed);
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // The system may have no watches left, or be one that has none: looking now and then does it, too.
    }
  }

  /** What is written in quick succession is read in one go. An end is waited for no longer. */
  async next(): Promise<void> {
    if (!this.#isChanged && !this.#over.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    await sleep(BREATH_MS, undefined, { signal: this.#over }).catch(() => {});
    this.#isChanged = false;
    this.#wake = () => {};
  }

  close(): void {
    this.#watcher?.close();
    this.#over.removeEventListener('abort', this.#changed);
  }
}
