/**
 * Interpreters that are given their program on the command line or on standard input. Nobody can tell what that runs; what
 * allows the interpreter allows it. A program in a file is one part, as a file of shell commands is.
 */
import { UNKNOWN } from '../wildcard.ts';
import type { Inner, Word } from './part.ts';

interface Interpreter {
  /** Letters of options that bring code, of those with a value, and of those without. */
  readonly code: string;
  readonly values?: string;
  readonly flags?: string;
  readonly longCode?: readonly string[];
  readonly longValues?: readonly string[];
  /** Letters of options that only tell something. */
  readonly queries?: string;
  /** Letter of the option that names a module to be run as a program. */
  readonly module?: string;
}

const PYTHON: Interpreter = {
  code: 'c',
  values: 'WX',
  flags: 'bBdEiIOqPRsSutvxV?h',
  longValues: ['check-hash-based-pycs'],
  queries: 'Vh?',
  module: 'm',
};
const NODE: Interpreter = {
  code: 'ep',
  values: 'rC',
  flags: 'civh',
  longCode: ['eval', 'print'],
  longValues: ['require', 'import', 'loader', 'experimental-loader', 'conditions', 'env-file', 'title'],
};
const BY_E: Interpreter = { code: 'eE', longCode: ['eval', 'print', 'expression'] };

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  // A module of -M is code as well: -MPOSIX;…
  perl: { code: 'eEMm', values: 'I', flags: 'acfFilnpsStTuUwWX0' },
  raku: BY_E,
  ruby: { code: 'e', values: 'CEFIrx', flags: 'acdhilnpsSvwWy' },
  node: NODE,
  nodejs: NODE,
  bun: NODE,
  tsx: NODE,
  php: { code: 'BErR', values: 'cdfFStz', flags: 'aCHilmnqsvw' },
  lua: { code: 'e', values: 'l', flags: 'EivW' },
  luajit: { code: 'e', values: 'bjlO', flags: 'Eiv' },
  Rscript: BY_E,
  R: BY_E,
  julia: BY_E,
  groovy: BY_E,
  elixir: BY_E,
  scala: BY_E,
  racket: BY_E,
  guile: { code: 'ce' },
  octave: { code: '', longCode: ['eval'] },
  ghc: BY_E,
  runghc: BY_E,
  tclsh: { code: '' },
  wish: { code: '' },
};
const BY_NAME = new Map(Object.entries(INTERPRETERS).map(([name, one]) => [name.toLowerCase(), one]));

/** Modules that run what they are given. */
const RUNNING_MODULES = new Set(['timeit', 'pdb', 'code', 'cProfile', 'profile', 'trace', 'runpy']);

/** undefined: it is none of them. */
export function interpreted(name: string, words: readonly Word[]): readonly Inner[] | undefined {
  if (name === 'deno') return denoCode(words);
  const interpreter = BY_NAME.get(name);
  if (interpreter === undefined) return undefined;
  const found = programIn(words, interpreter);
  if (found === 'file' || found === 'nothing') return [];
  const code: Inner = { is: 'unknown', why: `${name} is given code to run`, isCovered: true };
  if (found === 'code') return [code];
  const module: Inner = { is: 'words', words: found, isCovered: true };
  return RUNNING_MODULES.has(String(found[0])) ? [code, module] : [module];
}

type Program = 'code' | 'file' | 'nothing' | readonly Word[];

/** An option that is not known may have the next word for its value or not, so the search goes on behind that one. */
function programIn(words: readonly Word[], interpreter: Interpreter): Program {
  const { queries = 'vVh' } = interpreter;
  let isQuery = false;
  let mayBeFile = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === UNKNOWN || word === undefined || word === '-' || /^data:|^\/+(dev|proc)\//.test(word))
      return 'code';
    if (word === '--') return words[at + 1] === undefined ? 'code' : 'file';
    if (!/^-/.test(word)) return 'file';
    const read = word.startsWith('--') ? readLong(word, interpreter) : readShort(word, interpreter);
    if (read === 'code') return 'code';
    if (typeof read === 'object') return [...(read.rest === '' ? [] : [read.rest]), ...words.slice(at + 1)];
    isQuery ||=
      /^--?(version|help|test|run)$/.test(word) || [...queries].some((letter) => word === `-${letter}`);
    const next = words[at + 1];
    const isOperand = typeof next === 'string' && !next.startsWith('-');
    if (typeof next === 'string' && next.startsWith('data:')) return 'code';
    if (read === 'value') at += 1;
    else if (read === 'unknown' && isOperand) {
      mayBeFile = true;
      at += 1;
    }
  }
  if (mayBeFile) return 'file';
  return isQuery ? 'nothing' : 'code';
}

type Read = 'code' | 'value' | 'flag' | 'unknown' | { readonly rest: string };

function readLong(word: string, { longCode = [], longValues = [] }: Interpreter): Read {
  const [name = ''] = word.slice(2).split('=');
  if (longCode.includes(name) || word.includes('=data:')) return 'code';
  if (word.includes('=')) return 'flag';
  return longValues.includes(name) ? 'value' : 'unknown';
}

function readShort(word: string, { code, values = '', flags = '', module }: Interpreter): Read {
  const letters = [...word.slice(1)];
  let isKnown = true;
  for (const [at, letter] of letters.entries()) {
    if (code.includes(letter)) return 'code';
    if (letter === module) return { rest: letters.slice(at + 1).join('') };
    if (isKnown && values.includes(letter)) return at === letters.length - 1 ? 'value' : 'flag';
    isKnown &&= flags.includes(letter);
  }
  return isKnown ? 'flag' : 'unknown';
}

function denoCode(words: readonly Word[]): readonly Inner[] {
  const isCode = words.some((word) => word === UNKNOWN || /^(eval|repl|-|data:.*)$/s.test(word));
  return isCode || words.length === 0
    ? [{ is: 'unknown', why: 'deno is given code to run', isCovered: true }]
    : [];
}
