/** Shells that are started by a command: bash -c TEXT, bash FILE, or one that reads its commands from somewhere. */
import { UNKNOWN } from '../wildcard.ts';
import { sourced } from './builtins.ts';
import { type Inner, unclear, type Word } from './part.ts';

export const BASH = new Set(['bash', 'rbash']);
export const OTHER_SHELLS = new Set(['sh', 'dash', 'ash']);
export const FOREIGN_SHELLS = new Set(
  'zsh ksh mksh fish csh tcsh pwsh powershell nu elvish xonsh rc es'.split(' '),
);

const SHELL_LONG_FLAGS = ['--login', '--noprofile', '--norc', '--posix', '--restricted', '--verbose'];

export function shellScript(words: readonly Word[], isBash: boolean): readonly Inner[] {
  let at = 0;
  let isText = false;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === UNKNOWN || word === undefined)
      return [unclear('the shell gets options that are not known before')];
    if (!/^[-+]/.test(word)) break;
    if (word === '-' || word === '--') {
      at += 1;
      break;
    }
    if (word.startsWith('--')) {
      if (!SHELL_LONG_FLAGS.includes(word)) return [unclear(`the shell gets the option ${word}`)];
      continue;
    }
    if (/[^a-zA-Z]/.test(word.slice(1)) || /[si]/.test(word))
      return [unclear(`the shell gets the option ${word}`)];
    isText ||= word.startsWith('-') && word.includes('c');
    if (/[oO]/.test(word)) at += 1;
  }
  const operand = words[at];
  if (operand === undefined) return [unclear('the shell reads its commands from its input')];
  if (!isText) return sourced(operand);
  if (operand === UNKNOWN) return [unclear('the shell runs text that is not known before')];
  return [{ is: 'script', text: operand, isBash }];
}
