/**
 * Replacing text in the bytes of a file. On bytes, so that whatever is not replaced stays exactly as it was: byte order
 * mark, line ends, parts in other encodings. No pattern language anywhere: `$&` in the new text is `$&` in the file.
 */
import { ToolFailure } from './tool.ts';

export interface Edit {
  readonly from: string;
  readonly to: string;
  /** All occurrences instead of exactly one. */
  readonly everywhere: boolean;
}

export interface Edited {
  readonly content: Buffer;
  readonly replaced: number;
  /** Of the first replacement, from 1. */
  readonly line: number;
}

/** @throws ToolFailure when the text does not occur, or more than once where once is asked for. */
export function applyEdit(content: Buffer, edit: Edit): Edited {
  if (edit.from === '')
    throw new ToolFailure('old_string is empty. Give the text to replace; to create a file use write_file.');
  if (edit.from === edit.to)
    throw new ToolFailure('old_string and new_string are the same, so there is nothing to change.');
  const { from, to } = inLineEndsOf(content, edit);
  const places = occurrences(content, from);
  const first = places[0];
  if (first === undefined) throw new ToolFailure(notFound(content.toString('utf8'), edit.from));
  if (!edit.everywhere) assertUnique(content, from, places);
  return {
    content: splice(content, places, from.length, to),
    replaced: places.length,
    line: lineAt(content, first),
  };
}

/** Models write plain line ends. Where the file has Windows ones, both texts are taken to mean those. */
function inLineEndsOf(content: Buffer, { from, to }: Edit): { from: Buffer; to: Buffer } {
  const windows = (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n'));
  const asGiven = { from: Buffer.from(from), to: Buffer.from(to) };
  if (content.includes(asGiven.from)) {
    const addsFirstLineEnd = !from.includes('\n') && to.includes('\n');
    return addsFirstLineEnd && hasOnlyWindowsLineEnds(content) ? { ...asGiven, to: windows(to) } : asGiven;
  }
  return from.includes('\n') && content.includes('\r\n') ? { from: windows(from), to: windows(to) } : asGiven;
}

function hasOnlyWindowsLineEnds(content: Buffer): boolean {
  const all = countOf(content, '\n');
  return all > 0 && all === countOf(content, '\r\n');
}

/** Where the text begins, from left to right, without overlaps. */
function occurrences(content: Buffer, text: Buffer): number[] {
  const places: number[] = [];
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + text.length))
    places.push(at);
  return places;
}

function assertUnique(content: Buffer, from: Buffer, places: readonly number[]): void {
  const [first = 0] = places;
  // "aa" occurs once in "aaa" without overlaps, and still nobody can know which one is meant.
  const overlapping = content.indexOf(from, first + 1);
  if (overlapping === -1) return;
  const found = places.length > 1 ? places : [first, overlapping];
  const lines = found.slice(0, 5).map((place) => lineAt(content, place));
  const more = found.length > 5 ? ', …' : '';
  throw new ToolFailure(
    `old_string occurs ${found.length} times (at lines ${lines.join(', ')}${more}), so nothing was changed. ` +
      'Give more of the lines around the one that you mean, or set replace_all to true to change all of them.',
  );
}

function splice(content: Buffer, places: readonly number[], length: number, to: Buffer): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  for (const place of places) {
    parts.push(content.subarray(end, place), to);
    end = place + length;
  }
  parts.push(content.subarray(end));
  return Buffer.concat(parts);
}

const lineAt = (content: Buffer, place: number): number => countOf(content.subarray(0, place), '\n') + 1;

function countOf(content: Buffer, text: string): number {
  let found = 0;
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + text.length)) found += 1;
  return found;
}

/** Tells what is different where something similar is there. */
function notFound(text: string, from: string): string {
  const nothing = 'old_string does not occur in the file, so nothing was changed.';
  const withoutSpace = (part: string) => part.replace(/\s+/g, '');
  if (withoutSpace(text).includes(withoutSpace(from)))
    return `${nothing} The same text with other white space (indentation, tabs, line ends) does: read the file again and copy it exactly.`;
  const firstLine =
    from
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ?? '';
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === firstLine ? [index + 1] : []));
  if (lines.length > 0)
    return `${nothing} Its first line is there (line ${lines.slice(0, 5).join(', ')}), what follows is different: read the file from there and copy it exactly.`;
  return `${nothing} Read the file again: it may have changed, or it may be another file that you mean.`;
}
