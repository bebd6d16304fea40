/** The source of the machine, and where in it a state is written. */
import finishing from '../../machines/finishing.ts?raw';
import loop from '../../machines/loop.machine.ts?raw';
import persisting from '../../machines/persisting.ts?raw';

export interface Source {
  readonly file: string;
  readonly lines: readonly string[];
}

const source = (file: string, text: string): Source => ({
  file,
  lines: text.trimEnd().split('\n'),
});
const MAIN = source('loop.machine.ts', loop);
/** States that are written in a file of their own. */
const PARTS: Readonly<Record<string, Source>> = {
  persisting: source('persisting.ts', persisting),
  finishing: source('finishing.ts', finishing),
};

export interface Spot {
  readonly source: Source;
  /** First and last line, from 0; null: it is not written by its name. */
  readonly range: readonly [from: number, to: number] | null;
}

/** @param state full name, such as "asking.requesting" */
export function spotOf(state: string): Spot {
  const [top = '', ...inner] = state.split('.');
  const part = PARTS[top];
  const found = part ? rangeOf(part.lines, inner) : rangeOf(MAIN.lines, [top, ...inner]);
  return { source: part ?? MAIN, range: found };
}

/** A state is a field whose value begins on its line and ends where the indentation comes back. */
function rangeOf(lines: readonly string[], path: readonly string[]): readonly [number, number] | null {
  let [from, to] = [0, lines.length - 1];
  for (const name of path) {
    const start = lines.findIndex((line, at) => at >= from && at <= to && line.trim() === `${name}: {`);
    if (start === -1) return null;
    const indent = lines[start]?.match(/^ */)?.[0] ?? '';
    const end = lines.findIndex((line, at) => at > start && line.startsWith(`${indent}}`));
    [from, to] = [start, end === -1 ? to : end];
  }
  return path.length === 0 ? null : [from, to];
}

export interface Token {
  readonly is: 'comment' | 'text' | 'word' | 'name' | 'plain';
  readonly text: string;
}

const TOKENS =
  /(\/\/.*|\/\*.*|^\s*\*.*)|('[^']*')|\b(import|from|export|const|type|as|satisfies)\b|([\w.']+)(?=:)/g;

/** Enough colour to read by. */
export function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(TOKENS)) {
    if (match.index > at) tokens.push({ is: 'plain', text: line.slice(at, match.index) });
    const is = match[1] ? 'comment' : match[2] ? 'text' : match[3] ? 'word' : 'name';
    tokens.push({ is, text: match[0] });
    at = match.index + match[0].length;
  }
  return at < line.length ? [...tokens, { is: 'plain', text: line.slice(at) }] : tokens;
}
