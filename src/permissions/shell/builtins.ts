/** Builtins of the shell that run text: what they are given, or what is in a subscript of a name. */
import { UNKNOWN } from '../wildcard.ts';
import { type Inner, unclear, type Word } from './part.ts';
import { setByVariable } from './variables.ts';

/** They change what later words mean, or run text that they get as an argument. */
export const REDEFINING = new Set('alias hash enable bind compgen complete'.split(' '));

/** They evaluate a subscript in a name that they are given, and run a $(…) in it. */
export const SUBSCRIPTS = new Set(
  'let unset read declare typeset local export readonly getopts wait test [ printf mapfile readarray'.split(
    ' ',
  ),
);

const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

export function subscripts(name: string, words: readonly Word[]): readonly Inner[] {
  const known = words.filter((word) => word !== UNKNOWN);
  const set = DECLARING.has(name) ? known.flatMap(setByVariable) : [];
  if (known.some((word) => /\[.*(\$|`)/s.test(word)))
    return [...set, unclear(`${name} runs what is in a subscript`)];
  if (name.endsWith('ray') || name === 'mapfile')
    if (known.some((word) => /^-[a-zA-Z]*C/.test(word))) return [...set, unclear(`${name} -C runs text`)];
  const isEvaluated =
    words.includes(UNKNOWN) || (DECLARING.has(name) && known.some((word) => /^-[a-zA-Z]*[in]/.test(word)));
  return isEvaluated || name === 'let'
    ? [...set, { is: 'evaluation', why: `${name} evaluates what it is given` }]
    : set;
}

export function evaluated(words: readonly Word[]): Inner {
  if (words.includes(UNKNOWN)) return unclear('eval runs text that is not known before');
  return { is: 'script', text: words.slice(words[0] === '--' ? 1 : 0).join(' '), isBash: true };
}

export function trapped(words: readonly Word[]): readonly Inner[] {
  const [action = '-', ...signals] = words[0] === '--' ? words.slice(1) : words;
  if (action === UNKNOWN) return [unclear('trap runs text that is not known before')];
  if (['-', '-p', '-l'].includes(action) || signals.length === 0) return [];
  return [{ is: 'script', text: action, isBash: true }];
}

/** A file of commands is one part: what is in it is judged by nobody. */
export const sourced = (file: Word | undefined): readonly Inner[] =>
  file === UNKNOWN || file?.match(/^\/+(dev|proc)\//)
    ? [unclear('it runs a file that is not known before')]
    : [];
