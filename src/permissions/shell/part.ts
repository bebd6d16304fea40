import { UNKNOWN } from '../wildcard.ts';

/** A word of a command as the program gets it, or UNKNOWN: none, one or several words that only the running shell knows. */
export type Word = string | typeof UNKNOWN;

/** A file that the shell itself opens; relative to the folder that it starts in, UNKNOWN where it depends. */
export interface Redirection {
  readonly is: 'write' | 'read';
  readonly text: string;
  readonly path: Word;
}

/** What a command line does, piece by piece. Each is judged by itself. `text` is for people. */
export type Part = (
  | { readonly is: 'command'; readonly text: string; readonly words: readonly Word[] }
  | Redirection
  /** What it runs cannot be known before. `why` is a clause. */
  | { readonly is: 'unknown'; readonly text: string; readonly why: string }
  /** It evaluates what a variable holds, as arithmetic or a name: by custom numbers and names, but a $(…) in them would run. */
  | { readonly is: 'evaluation'; readonly text: string; readonly why: string }
) &
  Covered;

interface Covered {
  /** Whatever allows the command that runs it allows this, too: only rules that forbid are asked about it. */
  readonly isCovered?: true;
}

/** What else a command runs: words, shell text, or something that nobody can tell. */
export type Inner = (
  | { readonly is: 'words'; readonly words: readonly Word[] }
  | { readonly is: 'script'; readonly text: string; readonly isBash: boolean }
  | { readonly is: 'unknown' | 'evaluation'; readonly why: string }
) &
  Covered;

export const unclear = (why: string): Inner => ({ is: 'unknown', why });

const LONGEST_TEXT = 200;

export const shown = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;

export const shownWords = (words: readonly Word[]): string =>
  shown(
    words
      .slice(0, LONGEST_TEXT)
      .map((word) => (word === UNKNOWN ? '…' : word))
      .join(' '),
  );

export const unknown = (text: string, why: string): Part => ({ is: 'unknown', text: shown(text), why });
