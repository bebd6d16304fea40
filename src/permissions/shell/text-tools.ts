/** awk and sed: mostly harmless, but both have a way to run commands in their own languages. */
import { UNKNOWN } from '../wildcard.ts';
import { runsFromAwk } from './awk.ts';
import type { Inner, Word } from './part.ts';
import { runsFromSed } from './sed.ts';

/** Letters of options: with a program, with a file of it, with another value. */
interface Options {
  readonly text: string;
  readonly file: string;
  readonly values: string;
  readonly longText: string;
  readonly longFile: readonly string[];
  readonly longValues: readonly string[];
}
const AWK: Options = {
  text: 'e',
  file: 'fE',
  values: 'Fvil',
  longText: '--source',
  longFile: ['--file', '--exec'],
  longValues: ['--field-separator', '--assign', '--include', '--load'],
};
const SED: Options = {
  text: 'e',
  file: 'f',
  values: 'l',
  longText: '--expression',
  longFile: ['--file'],
  longValues: ['--line-length'],
};

export const awkCommands = (words: readonly Word[]): readonly Inner[] =>
  commandsIn('awk', textsIn(words, AWK), runsFromAwk);

export const sedCommands = (words: readonly Word[]): readonly Inner[] =>
  commandsIn('sed', textsIn(words, SED), runsFromSed);

function commandsIn(name: string, texts: readonly Word[], runs: (text: string) => boolean): readonly Inner[] {
  if (texts.includes(UNKNOWN))
    return [{ is: 'unknown', why: `it is not known before what ${name} does`, isCovered: true }];
  return texts.some((text) => runs(String(text)))
    ? [{ is: 'unknown', why: `${name} may run a command from its program` }]
    : [];
}

function textsIn(words: readonly Word[], options: Options): readonly Word[] {
  const texts: Word[] = [];
  let isGiven = false;
  let at = 0;
  const take = (rest: string): Word => {
    if (rest !== '') return rest;
    at += 1;
    return words[at] ?? '';
  };
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || word === UNKNOWN) return [UNKNOWN];
    if (word === '--') {
      at += 1;
      break;
    }
    if (!/^-./.test(word)) break;
    if (word.startsWith('--')) {
      const [name = '', ...rest] = word.split('=');
      const isAny = (names: readonly string[]) =>
        name.length > 2 && names.some((one) => one.startsWith(name));
      if (isAny([options.longText])) texts.push(take(rest.join('=')));
      else if (isAny([...options.longFile, ...options.longValues])) take(rest.join('='));
      isGiven ||= isAny([options.longText, ...options.longFile]);
      continue;
    }
    for (const [index, letter] of [...word.slice(1)].entries()) {
      const rest = word.slice(index + 2);
      if (options.text.includes(letter)) texts.push(take(rest));
      else if (options.file.includes(letter)) texts.push(...fromFile(take(rest)));
      else if (options.values.includes(letter)) take(rest);
      else if (letter !== 'i') continue;
      isGiven ||= (options.text + options.file).includes(letter);
      break;
    }
  }
  const operands = words.slice(at);
  if (isGiven) return texts;
  // Elsewhere, sed -i has a value of its own, which is mostly empty.
  return operands[0] === '' ? operands.slice(0, 2) : operands.slice(0, 1);
}

const fromFile = (file: Word): readonly Word[] =>
  file === UNKNOWN || file === '-' || /^\/+(dev|proc)\//.test(file) ? [UNKNOWN] : [];
