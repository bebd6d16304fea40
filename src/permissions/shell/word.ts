import type { CommandArgument, Word as Node, WordPart } from 'unbash';
import { UNKNOWN } from '../wildcard.ts';
import type { Word } from './part.ts';

/** What the program gets for a word, where that is certain: quotes are taken away, nothing is expanded. */
export function wordOf(node: Node | undefined): Word {
  if (node === undefined) return UNKNOWN;
  return (node.parts ?? []).every(isPlain) ? node.value : UNKNOWN;
}

/** The value of an assignment such as `export X=$Y` may be unknown while its name is not. */
export const argumentOf = (node: CommandArgument): Word => {
  if (node.type === 'Word') return wordOf(node);
  const value = node.value.type === 'Word' ? wordOf(node.value) : UNKNOWN;
  return node.index === undefined ? `${node.name}=${value === UNKNOWN ? '…' : value}` : UNKNOWN;
};

/** A wildcard or a list in braces becomes any number of words; a translated text `$"…"` becomes another one. */
function isPlain(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true;
    case 'DoubleQuoted':
      return part.parts.every(({ type }) => type === 'Literal');
    default:
      return false;
  }
}

export const isNumber = (word: Word): boolean => word !== UNKNOWN && /^[-+]?[0-9]+$/.test(word);

/**
 * A variable that no program looks at: children are given few variables, all in capitals, and assigning does not add to
 * them.
 */
export const isOwnVariable = (name: string): boolean =>
  /^[a-z][a-z0-9_]*$/.test(name) && !name.includes('proxy');
