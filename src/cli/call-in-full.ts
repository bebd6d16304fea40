import { jsonLine } from './format.ts';
import { printable, printableLine } from './printable.ts';

/**
 * A call's arguments for the person who decides: nothing is left out. Texts of several lines are set off by a bar on
 * every line, so that no content can pass for pawl's own words.
 */
export function callInFull(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return bar(jsonLine(input));
  const entries = Object.entries(input);
  return entries.length === 0 ? bar('(no arguments)') : entries.map(argument).join('\n');
}

function argument([name, value]: [string, unknown]): string {
  const label = printableLine(name);
  if (typeof value !== 'string') return bar(`${label}: ${jsonLine(value)}`);
  const lines = printable(value).split('\n');
  return lines.length === 1
    ? bar(`${label}: ${lines[0]}`)
    : [bar(`${label}:`), ...lines.map((line) => bar(`  ${line}`))].join('\n');
}

export const bar = (line: string): string => `  │ ${line}`;
