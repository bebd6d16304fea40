import { figure } from './figure.ts';
import { spell } from './names.ts';
import { ToolFailure } from './tool.ts';

/** An escaped character, a whole bracket expression, or the start of a group of a kind that only other dialects have. */
const TOKEN = /\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\(\?/g;

/** Bounds the search for tokens, which takes quadratic time where brackets are opened and not closed. */
const LONGEST_PATTERN = 4_000;

/**
 * Catches what models write out of habit and grep quietly takes for something else: `\d` would search for the letter d.
 * @throws ToolFailure for a pattern that would give a wrong answer instead of an error
 */
export function assertPattern(pattern: string): void {
  if (pattern.length > LONGEST_PATTERN)
    throw new ToolFailure(
      `The pattern has ${figure(pattern.length)} characters, and ${figure(LONGEST_PATTERN)} are the most. Search for a shorter part of the line.`,
    );
  if (/[\n\0]/.test(pattern))
    throw new ToolFailure(
      'The pattern holds a line end or a NUL character, but lines are searched one by one. Search for a part of one line.',
    );
  const foreign = pattern.match(TOKEN)?.find(isForeign);
  if (foreign !== undefined)
    throw new ToolFailure(
      `Extended regular expressions do not know ${spell(foreign)}. Write [0-9] for a digit, ( ) for a group, a tab character for a tab; within [ ] a backslash means itself, so write [[:alnum:]_] for \\w and [[:space:]] for \\s.`,
    );
}

const isForeign = (token: string): boolean =>
  token.startsWith('[') ? /\\[A-Za-z]/.test(token) : token === '(?' || /^\\(?![wWsSbB])[A-Za-z]$/.test(token);

/** @throws ToolFailure for a file name pattern that would match nothing */
export function assertInclude(include: string): void {
  if (/[/{}\0]/.test(include))
    throw new ToolFailure(
      'include is compared with the name of a file, without its folders, and knows *, ? and [ ] but no braces. Give the folder in path, and search once for each kind of file.',
    );
}
