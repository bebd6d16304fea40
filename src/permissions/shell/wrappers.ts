/** Programs and builtins that start other commands, and what they start. Not complete, and no program could be. */
import { UNKNOWN } from '../wildcard.ts';
import { beginOf, type Options } from './options.ts';
import type { Word } from './part.ts';
import { isRunByBash } from './word.ts';

/** What else a command runs: words, shell text, or something that nobody can tell. */
export type Inner =
  | { readonly is: 'words'; readonly words: readonly Word[] }
  | { readonly is: 'script'; readonly text: string; readonly isBash: boolean }
  | { readonly is: 'unknown' | 'evaluation'; readonly why: string };

const WRAPPERS: Readonly<Record<string, Options>> = {
  builtin: {},
  command: { flags: 'p', queries: 'vV' },
  exec: { flags: 'cl', values: 'a' },
  nohup: {},
  setsid: { flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'] },
  time: {
    flags: 'apqv',
    values: 'fo',
    longFlags: ['append', 'portability', 'quiet', 'verbose'],
    longValues: ['format', 'output'],
  },
  nice: { values: 'n', longValues: ['adjustment'] },
  ionice: { flags: 't', values: 'cn', longFlags: ['ignore'], longValues: ['class', 'classdata'] },
  stdbuf: { values: 'ioe', longValues: ['input', 'output', 'error'] },
  timeout: {
    flags: 'fpv',
    values: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValues: ['kill-after', 'signal'],
    operands: 1,
  },
  env: {
    flags: 'i0v',
    values: 'uCP',
    longFlags: ['ignore-environment', 'null', 'debug'],
    longValues: ['unset', 'chdir'],
    assignments: true,
  },
  sudo: {
    flags: 'ABbEHikNnPSs',
    values: 'CDghpRTtUur',
    longFlags: ['background', 'login', 'non-interactive', 'preserve-env', 'set-home', 'shell', 'stdin'],
    longValues: ['chdir', 'group', 'host', 'prompt', 'user'],
    assignments: true,
    queries: 'lvKV',
  },
  doas: { flags: 'nsL', values: 'uC' },
  chroot: { longValues: ['groups', 'userspec'], operands: 1 },
  busybox: {},
  toybox: {},
  xargs: {
    flags: '0ioprtx',
    values: 'adEILnPs',
    longFlags: ['exit', 'interactive', 'no-run-if-empty', 'null', 'open-tty', 'replace', 'verbose'],
    longValues: ['arg-file', 'delimiter', 'max-args', 'max-chars', 'max-lines', 'max-procs'],
  },
};

/** Their options are too many, or their commands are written in a language of their own. */
const UNCLEAR = new Set(
  'parallel watch script su runuser flock strace ltrace unshare nsenter systemd-run at batch screen tmux entr'.split(
    ' ',
  ),
);
/** They change what later words mean, or run text that they get as an argument. */
const REDEFINING = new Set('alias hash enable bind compgen complete'.split(' '));
/** They evaluate a subscript in a name that they are given, and run a $(…) in it. */
const SUBSCRIPTS = new Set(
  'let unset read declare typeset local export readonly getopts wait test [ printf mapfile readarray'.split(
    ' ',
  ),
);
const BASH = new Set(['bash', 'rbash']);
const OTHER_SHELLS = new Set(['sh', 'dash', 'ash']);
const FOREIGN_SHELLS = new Set('zsh ksh mksh fish csh tcsh pwsh'.split(' '));

const unclear = (why: string): Inner => ({ is: 'unknown', why });

/** @param name of the program, without folders. @param words behind it */
export function innerOf(name: string, words: readonly Word[]): readonly Inner[] {
  if (name === 'eval') return [evaluated(words)];
  if (name === 'trap') return trapped(words);
  if (name === 'find') return foundCommands(words);
  if (name === '.' || name === 'source') return sourced(words[0] === '--' ? words[1] : words[0]);
  if (REDEFINING.has(name))
    return words.length === 0 ? [] : [unclear(`${name} changes what later commands mean`)];
  if (UNCLEAR.has(name)) return [unclear(`${name} runs commands in ways that are not looked into`)];
  if (FOREIGN_SHELLS.has(name)) return [unclear(`${name} is a shell with a language of its own`)];
  if (BASH.has(name) || OTHER_SHELLS.has(name)) return shellScript(words, BASH.has(name));
  if (SUBSCRIPTS.has(name)) return subscripts(name, words);
  const options = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  return options === undefined ? [] : wrapped(name, words, options);
}

const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

function subscripts(name: string, words: readonly Word[]): readonly Inner[] {
  const known = words.filter((word) => word !== UNKNOWN);
  if (DECLARING.has(name) && known.some(isRunByBash))
    return [unclear(`${name} sets a variable that bash runs`)];
  if (known.some((word) => /\[.*(\$|`)/s.test(word))) return [unclear(`${name} runs what is in a subscript`)];
  if (name.endsWith('ray') || name === 'mapfile')
    if (known.some((word) => /^-[a-zA-Z]*C/.test(word))) return [unclear(`${name} -C runs text`)];
  const isEvaluated =
    words.includes(UNKNOWN) || (DECLARING.has(name) && known.some((word) => /^-[a-zA-Z]*[in]/.test(word)));
  return isEvaluated || name === 'let'
    ? [{ is: 'evaluation', why: `${name} evaluates what it is given` }]
    : [];
}

function wrapped(name: string, words: readonly Word[], options: Options): readonly Inner[] {
  const begin = beginOf(words, options);
  if (begin === 'nothing') return [];
  if (begin === 'unclear') return [unclear(`it is not clear which command ${name} starts`)];
  const inner = words.slice(begin);
  if (options.assignments && words.slice(0, begin).some(isRunByBash))
    return [unclear(`${name} sets a variable that bash runs`), { is: 'words', words: inner }];
  if (name !== 'xargs') return [{ is: 'words', words: inner }];
  if (words.slice(0, begin).some((word) => word !== UNKNOWN && /^-[a-zA-Z0-9]*I./.test(word)))
    return [unclear('it is not clear what xargs fills in')];
  const at = words.indexOf('-I');
  const hole = at >= 0 && at < begin ? words[at + 1] : undefined;
  return [{ is: 'words', words: [...(typeof hole === 'string' ? filled(inner, hole) : inner), UNKNOWN] }];
}

/** The words with what is filled in by the program taken for unknown. */
const filled = (words: readonly Word[], hole: string): readonly Word[] =>
  words.map((word) => (word !== UNKNOWN && word.includes(hole) ? UNKNOWN : word));

function evaluated(words: readonly Word[]): Inner {
  if (words.includes(UNKNOWN)) return unclear('eval runs text that is not known before');
  return { is: 'script', text: words.slice(words[0] === '--' ? 1 : 0).join(' '), isBash: true };
}

function trapped(words: readonly Word[]): readonly Inner[] {
  const [action = '-', ...signals] = words[0] === '--' ? words.slice(1) : words;
  if (action === UNKNOWN) return [unclear('trap runs text that is not known before')];
  if (['-', '-p', '-l'].includes(action) || signals.length === 0) return [];
  return [{ is: 'script', text: action, isBash: true }];
}

const FIND_STARTS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function foundCommands(words: readonly Word[]): readonly Inner[] {
  const found: Inner[] = [];
  words.forEach((word, at) => {
    if (word === UNKNOWN || !FIND_STARTS.has(word)) return;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((one) => one === ';' || one === '+');
    found.push({ is: 'words', words: filled(end < 0 ? rest : rest.slice(0, end), '{}') });
  });
  return words.includes(UNKNOWN)
    ? [...found, unclear('find gets expressions that are not known before')]
    : found;
}

/** A file of commands is one part: what is in it is judged by nobody. */
const sourced = (file: Word | undefined): readonly Inner[] =>
  file === UNKNOWN || file?.match(/^\/+(dev|proc)\//)
    ? [unclear('it runs a file that is not known before')]
    : [];

const SHELL_LONG_FLAGS = ['--login', '--noprofile', '--norc', '--posix', '--restricted', '--verbose'];

/** bash -c TEXT, bash FILE, or a shell that reads its commands from somewhere. */
function shellScript(words: readonly Word[], isBash: boolean): readonly Inner[] {
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
