/** make runs its file; these are the ways in which its command line brings commands of its own. */
import { UNKNOWN } from '../wildcard.ts';
import { type Inner, unclear, type Word } from './part.ts';

export function makeCommands(words: readonly Word[]): readonly Inner[] {
  const texts = words.filter((word) => word !== UNKNOWN);
  const isFromElsewhere = texts.some(
    (word, at) =>
      /^(--eval|-E|--f\w*=-$|-\w*f-$)/.test(word) || (/^-(\w*f|-f\w*)$/.test(word) && texts[at + 1] === '-'),
  );
  if (isFromElsewhere) return [unclear('make is given rules to run')];
  const found = texts.flatMap((word): readonly Inner[] => {
    const [, name = '', value = ''] = /^([\w.-]+)[:?+!]*=(.*)$/s.exec(word) ?? [];
    if (/^\.?SHELL/.test(name) || /[;&|`$<>\n]/.test(value))
      return [unclear(`make gets a variable that may be run (${name})`)];
    // CC=gcc: rules run what variables name.
    return /^[\w./]/.test(value) ? [{ is: 'script', text: value, isBash: false, isCovered: true }] : [];
  });
  return words.includes(UNKNOWN)
    ? [...found, { is: 'unknown', why: 'make gets words that are not known before', isCovered: true }]
    : found;
}
