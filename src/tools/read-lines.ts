import { closeSync, readSync } from 'node:fs';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { beforeCut } from '../sandbox/cut.ts';
import { openChecked } from './opened.ts';

export const MAX_CHARACTERS = 50_000;

export interface Part {
  /** Whole lines with their line ends; or, where the first line alone is too long, its beginning. */
  readonly text: string;
  /** Lines in the text; where there is no text, lines of the whole file. */
  readonly lines: number;
  /** What of the file comes after the text: whole lines, the remainder of the one line in it, or nothing. */
  readonly rest: 'nothing' | 'lines' | 'line';
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Lines of a file from `first` on, at most `limit` of them, MAX_CHARACTERS characters and `maxBytes` bytes. Takes no more chunks
 * than needed and holds no more than that, whatever the size of the file.
 * @throws ERR_ENCODING_INVALID_ENCODED_DATA when it is not UTF-8, and what the chunks throw
 */
export async function readLines(
  chunks: Chunks,
  first: number,
  limit: number,
  maxBytes: number,
): Promise<Part> {
  let line = 1;
  let isLineOpen = false;
  let text = '';
  for await (const piece of decoded(chunks)) {
    let start = 0;
    while (line < first && start < piece.length) {
      const lineEnd = piece.indexOf('\n', start);
      isLineOpen = lineEnd === -1;
      start = isLineOpen ? piece.length : lineEnd + 1;
      if (!isLineOpen) line += 1;
    }
    if (line === first) text += piece.slice(start);
    if (text.length > MAX_CHARACTERS) break;
  }
  if (text === '') return { text, lines: isLineOpen ? line : line - 1, rest: 'nothing' };
  return cut(text, limit, maxBytes);
}

const CHUNK_BYTES = 64 * 1024;
/** So many chunks are read in one go; then others get their turn, a cancel among them. */
const CHUNKS_IN_A_ROW = 16;

/** Of a file that is at hand. */
export function* chunksOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
}

/**
 * Of a file that is not held as a whole: each chunk is gone when the next one comes. Read synchronously: the thread pool
 * would take ten times as long.
 * @param path real path
 * @throws ToolFailure when something else lies there by now
 */
export async function* readChunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const fd = openChecked(path);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let n = 1; ; n += 1) {
      const size = readSync(fd, buffer);
      if (size === 0) return;
      yield buffer.subarray(0, size);
      if (n % CHUNKS_IN_A_ROW === 0) await nextTurnOfTheLoop();
      signal.throwIfAborted();
    }
  } finally {
    closeSync(fd);
  }
}

async function* decoded(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function cut(text: string, limit: number, maxBytes: number): Part {
  let end = 0;
  let lines = 0;
  let bytes = 0;
  while (lines < limit && end < text.length) {
    const lineEnd = text.indexOf('\n', end);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    bytes += Buffer.byteLength(text.slice(end, next));
    if (next > MAX_CHARACTERS || bytes > maxBytes) break;
    end = next;
    lines += 1;
  }
  if (lines === 0) return { text: beforeCut(beginning(text, maxBytes)), lines: 1, rest: 'line' };
  return { text: text.slice(0, end), lines, rest: end < text.length ? 'lines' : 'nothing' };
}

function beginning(text: string, maxBytes: number): string {
  const short = text.slice(0, MAX_CHARACTERS);
  if (Buffer.byteLength(short) <= maxBytes) return short;
  // As a stream: what is left of a character at the end is kept back, and no more comes.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(Buffer.from(short).subarray(0, maxBytes), { stream: true });
}
