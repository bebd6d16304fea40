import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { jsonLine } from './format.ts';
import { printable, printableLine } from './printable.ts';

/**
 * A call's arguments for the person who decides: nothing is left out. Every line is set off by a bar, also where the terminal
 * would break one, so that no content can pass for pawl's own words.
 * @param columns of the terminal; Infinity: nothing breaks
 */
export function callInFull(input: unknown, columns: number): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return bar(jsonLine(input), columns);
  const entries = Object.entries(input);
  return entries.length === 0
    ? bar('(no arguments)', columns)
    : entries.map((entry) => argument(entry, columns)).join('\n');
}

function argument([name, value]: [string, unknown], columns: number): string {
  const label = printableLine(name);
  if (typeof value !== 'string') return bar(`${label}: ${jsonLine(value)}`, columns);
  const lines = printable(value).split('\n');
  return lines.length === 1
    ? bar(`${label}: ${lines[0]}`, columns)
    : [bar(`${label}:`, columns), ...lines.map((line) => bar(`  ${line}`, columns))].join('\n');
}

const MARGIN = '  │ ';
/** In front of what goes on: the beginning of a line in the middle could be taken for one of its own. */
const GOES_ON = '↪ ';
const NARROWEST = 20;
/** Stops are counted from the left of the screen, and nobody knows them behind a margin. */
const TAB = '        ';

/** @param paint for each line of it */
export function bar(line: string, columns: number, paint = (text: string) => text): string {
  if (columns === Infinity) return `${MARGIN}${paint(line)}`;
  const room = Math.max(columns - MARGIN.length, NARROWEST);
  const text = line.replaceAll('\t', TAB);
  if (stringWidth(text) <= room) return `${MARGIN}${paint(text)}`;
  const [indent = ''] = /^ */.exec(text) ?? [];
  const broken = wrapAnsi(
    text.slice(indent.length),
    Math.max(room - indent.length - GOES_ON.length, NARROWEST),
    {
      hard: true,
    },
  );
  return broken
    .split('\n')
    .map((part, index) => `${MARGIN}${paint(`${index === 0 ? '' : GOES_ON}${indent}${part}`)}`)
    .join('\n');
}
