/** Figures and texts as people read them, in one line. */
import stringWidth from 'fast-string-width';
import { type ContentBlock, isText, type ToolContent } from '../../machines/protocol.ts';
import { figure } from '../tools/figure.ts';
import { printableLine } from './printable.ts';

/** "1 turn", "12,345 tokens". */
export const counted = (count: number, noun: string): string =>
  `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "$1.23"; below a cent with as many digits as say something: "$0.0042". Nothing is "$0.00". */
export const cost = (usd: number): string =>
  `$${usd > 0 && usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}`;

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** At most `width` characters, the last of them an ellipsis where something is missing. Never cuts a character in two. */
export function shortened(text: string, width: number): string {
  if (text.length <= width) return text;
  const characters = Array.from(text.slice(0, width * 2));
  return characters.length <= width && text.length <= width * 2
    ? text
    : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** A name or an id as the model made it up, which may be of any length. */
export const shortName = (name: string): string => printableLine(shortened(name, LONGEST_NAME));

/** What the service allows. */
const LONGEST_NAME = 64;

/** What a person has written, to be told back. */
export const quoted = (text: string): string => JSON.stringify(shortened(text, LONGEST_QUOTE));

const LONGEST_QUOTE = 100;

/** A path as a person wrote it: one that leads anywhere stays whole. */
export const shortPath = (file: string): string => shortened(file, LONGEST_PATH);

/** Of Linux; others allow less. */
const LONGEST_PATH = 4_096;

/**
 * Words joined by blanks, with a line break before each that would not fit. None is cut, so that a path which holds
 * blanks, given as one word, can be copied. @param width Infinity: one line
 */
export function wrapped(words: readonly string[], width: number, indent = INDENT): string {
  let column = 0;
  return words
    .map((word, index) => {
      const isFirst = index === 0;
      const columns = stringWidth(word);
      const breaks = !isFirst && column + 1 + columns > width;
      column = isFirst || breaks ? columns + (breaks ? indent.length : 0) : column + 1 + columns;
      return isFirst ? word : `${breaks ? `\n${indent}` : ' '}${word}`;
    })
    .join('');
}

/**
 * A command to be copied into a shell: one that is too wide is broken between words, in the way in which a shell reads on.
 * @param words each quoted, if need be
 */
export const commandLine = (words: readonly string[], columns: number): string =>
  `  ${wrapped(words, columns - INDENT.length).replaceAll('\n', ' \\\n')}`;

/** "  go on with: COMMAND": below its label, where it does not fit beside it. */
export function hint(label: string, words: readonly string[], columns: number): string {
  const line = `  ${label}: ${words.join(' ')}`;
  return stringWidth(line) <= columns ? line : `  ${label}:\n${commandLine(words, columns)}`;
}

/** A text behind a head, whose further lines begin below its first word. @param width of the head, if it has colours */
export function hung(head: string, text: string, columns: number, width = stringWidth(head)): string {
  const lines = wrapped(text.split(' '), columns - width, '');
  return head + lines.replaceAll('\n', `\n${' '.repeat(width)}`);
}

const INDENT = '    ';

/** Any JSON value on one printable line. */
export const jsonLine = (value: unknown): string => printableLine(JSON.stringify(value) ?? 'nothing');

/** How a tool result begins, and how large it is. Blocks that are not text are named by their type. */
export function glimpse(content: ToolContent): { readonly bytes: number; readonly beginning: string } {
  const text = typeof content === 'string' ? content : content.map(blockText).join('\n');
  const lines = text
    .slice(0, LONGEST_GLIMPSE)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const beginning = lines.length === 0 ? '(no output)' : lines.slice(0, 3).join(' ⏎ ');
  return { bytes: Buffer.byteLength(text), beginning: printableLine(beginning) };
}

const LONGEST_GLIMPSE = 2_000;

const blockText = (block: ContentBlock): string => (isText(block) ? block.text : `[${block.type}]`);
