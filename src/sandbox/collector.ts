import { beforeCut, behindCut } from './cut.ts';
import type { Captured } from './sandbox.ts';

/** Takes the output of a process piece by piece and keeps its beginning and its end. */
export interface Collector {
  write(chunk: Uint8Array): void;
  /** Ends the text; nothing may be written after that. */
  finish(): Captured;
}

/**
 * Keeps at most `maxCharacters` (UTF-16 units): half from the start, half from the end, with a line between them that
 * says what was left out, and nothing of what touches the gap. Memory stays within a few times that, however much is
 * written and in whatever pieces. One decoder for the whole stream: a character whose bytes arrive apart survives.
 */
export function headAndTail(maxCharacters: number): Collector {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const headRoom = Math.ceil(maxCharacters / 2);
  const tailRoom = maxCharacters - headRoom;
  let head = '';
  let tail = '';
  let characters = 0;
  let bytes = 0;

  const add = (text: string): void => {
    const room = headRoom - head.length;
    head += text.slice(0, room);
    tail += text.slice(room);
    characters += text.length;
    // Trimming at twice the size, and not at each piece, keeps the work linear for a child that prints byte by byte.
    if (tail.length > 2 * maxCharacters) tail = lastOf(tail, tailRoom);
  };

  return {
    write(chunk) {
      bytes += chunk.byteLength;
      add(decoder.decode(chunk, { stream: true }));
    },
    finish() {
      add(decoder.decode());
      if (characters <= maxCharacters) return { text: head + tail, omitted: 0, bytes };
      const [before, behind] = [beforeCut(head), behindCut(lastOf(tail, tailRoom))];
      const omitted = characters - before.length - behind.length;
      const gap = `\n[${omitted} characters left out here; the whole output is ${bytes} bytes]\n`;
      return { text: before + gap + behind, omitted, bytes };
    },
  };
}

const lastOf = (text: string, length: number): string => text.slice(text.length - length);
