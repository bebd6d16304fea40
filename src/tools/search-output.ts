import { beforeCut } from '../sandbox/cut.ts';
import type { Captured } from '../sandbox/sandbox.ts';
import { figure } from './figure.ts';

const LONGEST_LINE = 500;
const MAX_CHARACTERS = 50_000;

/** The first matches that fit, each cut to a readable length, and a note where there are more. */
export function firstMatches({ text, omitted }: Captured): string {
  const lines = text.trimEnd().split('\n');
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    const short = shorten(line.replace(/^\.\//, ''));
    characters += short.length + 1;
    if (characters > MAX_CHARACTERS) break;
    shown.push(short);
  }
  if (shown.length === lines.length && omitted === 0) return shown.join('\n');
  return `${shown.join('\n')}\n[There are more matches than the ${figure(shown.length)} shown. Narrow the pattern, the path or include.]`;
}

/** Path and line number stay, whatever is left of the text: what it is can be read there. */
function shorten(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const beginning = line.slice(0, LONGEST_LINE);
  const place = /^.*?:\d+:/.exec(beginning)?.[0] ?? '';
  const shown = place + beforeCut(beginning.slice(place.length)).trimEnd();
  return `${shown} [… ${figure(line.length - shown.length)} more characters in this line]`;
}
