import type { Captured } from './sandbox.ts';

/** Takes the output of a process piece by piece and keeps its beginning and its end. */
export interface Collector {
  write(chunk: Uint8Array): void;
  /** Ends the text; nothing may be written after that. */
  finish(): Captured;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Keeps at most `maxCharacters` (UTF-16 units): half from the start, half from the end, with a line between them that
 * says what was left out. Memory stays within a few times that, however much is written and in whatever pieces.
 * One decoder for the whole stream: a character whose bytes arrive apart survives.
 */
export function headAndTail(maxCharacters: number): Collector {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const headRoom = Math.ceil(maxCharacters / 2);
  let head = '';
  let isHeadFull = false;
  let tail = '';
  let omitted = 0;
  let bytes = 0;

  const fillHead = (text: string): string => {
    const room = headRoom - head.length;
    if (text.length <= room) {
      head += text;
      return '';
    }
    const cut = isHighSurrogate(text.charCodeAt(room - 1)) ? room - 1 : room;
    head += text.slice(0, cut);
    isHeadFull = true;
    return text.slice(cut);
  };

  const trimTail = (room: number): void => {
    const excess = tail.length - room;
    if (excess <= 0) return;
    const cut = isLowSurrogate(tail.charCodeAt(excess)) ? excess + 1 : excess;
    tail = tail.slice(cut);
    omitted += cut;
  };

  const add = (text: string): void => {
    tail += isHeadFull ? text : fillHead(text);
    // Trimming at twice the size, and not at each piece, keeps the work linear for a child that prints byte by byte.
    if (tail.length > 2 * maxCharacters) trimTail(maxCharacters);
  };

  return {
    write(chunk) {
      bytes += chunk.byteLength;
      add(decoder.decode(chunk, { stream: true }));
    },
    finish() {
      add(decoder.decode());
      trimTail(maxCharacters - head.length);
      const gap = `\n[${omitted} characters left out here; the whole output is ${bytes} bytes]\n`;
      return { text: omitted === 0 ? head + tail : head + gap + tail, omitted, bytes };
    },
  };
}
