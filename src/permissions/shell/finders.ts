/** Programs that look for files and run a command on each. */
import { UNKNOWN } from '../wildcard.ts';
import { type Inner, unclear, type Word } from './part.ts';

const FIND_STARTS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

export function findCommands(words: readonly Word[]): readonly Inner[] {
  const found = words.flatMap((word, at) =>
    word !== UNKNOWN && FIND_STARTS.has(word) ? [untilEnd(words.slice(at + 1), '{}')] : [],
  );
  return words.includes(UNKNOWN)
    ? [...found, unclear('find gets expressions that are not known before')]
    : found;
}

/** fd -x COMMAND, fd -X COMMAND: all that stands behind, with {}, {.}, {/} and the like for the names. */
export function fdCommands(words: readonly Word[]): readonly Inner[] {
  for (const [at, word] of words.entries()) {
    if (word === UNKNOWN) return [unclear('fd gets options that are not known before')];
    if (word === '--') return [];
    if (/^(-[a-zA-Z]*[xX]|--exec|--exec-batch)$/.test(word)) return [untilEnd(words.slice(at + 1), '{')];
    if (/^(-[a-zA-Z]*[xX].|--exec(-batch)?=)/.test(word)) return [unclear('fd starts a command')];
  }
  return [];
}

function untilEnd(words: readonly Word[], hole: string): Inner {
  const end = words.findIndex((one) => one === ';' || one === '+');
  return { is: 'words', words: filled(end < 0 ? words : words.slice(0, end), hole) };
}

/** The words with what is filled in by the program taken for unknown. */
export const filled = (words: readonly Word[], hole: string): readonly Word[] =>
  words.map((word) => (word !== UNKNOWN && word.includes(hole) ? UNKNOWN : word));
