import { UNKNOWN } from '../wildcard.ts';
import type { Word } from './part.ts';

/** The options of a program that starts another: only so much as is needed to find where that one begins. */
export interface Options {
  /** Letters of options without and with a value. */
  readonly flags?: string;
  readonly values?: string;
  /** Long options without and with a value; every one may also be written as --name=value. */
  readonly longFlags?: readonly string[];
  readonly longValues?: readonly string[];
  /** Operands in front of the command, such as the time of timeout. */
  readonly operands?: number;
  /** NAME=value in front of the command is for its environment. */
  readonly assignments?: true;
  /** With one of these letters, nothing is started. */
  readonly queries?: string;
}

export type Begin = number | 'nothing' | 'unclear';

/** Where the command begins among the words. An option that is not known makes it unclear: it may have a value or none. */
export function beginOf(words: readonly Word[], options: Options): Begin {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === UNKNOWN || word === undefined) return 'unclear';
    if (word === '--') {
      at += 1;
      break;
    }
    if (!word.startsWith('-') || (word === '-' && !options.assignments)) break;
    if (word === '-') continue;
    const read = word.startsWith('--') ? readLong(word.slice(2), options) : readShort(word.slice(1), options);
    if (read === 'unclear' || read === 'nothing') return read;
    at += read;
  }
  const { operands = 0 } = options;
  if (words.slice(at, at + operands).includes(UNKNOWN)) return 'unclear';
  at += operands;
  while (options.assignments && typeof words[at] === 'string' && /^[^=]+=/.test(words[at] as string)) at += 1;
  return at >= words.length ? 'nothing' : at;
}

/** How many further words belong to it. */
function readLong(name: string, { longFlags = [], longValues = [] }: Options): 0 | 1 | 'unclear' {
  const [key = ''] = name.split('=');
  if (name.includes('=')) return [...longFlags, ...longValues].includes(key) ? 0 : 'unclear';
  if (longFlags.includes(key)) return 0;
  return longValues.includes(key) ? 1 : 'unclear';
}

function readShort(
  letters: string,
  { flags = '', values = '', queries = '' }: Options,
): 0 | 1 | 'unclear' | 'nothing' {
  for (const [index, letter] of [...letters].entries()) {
    if (queries.includes(letter)) return 'nothing';
    if (values.includes(letter)) return index === letters.length - 1 ? 1 : 0;
    if (!flags.includes(letter)) return 'unclear';
  }
  return 0;
}
