/** Programs and builtins that start the command that stands behind their options. */
import { UNKNOWN } from '../wildcard.ts';
import { filled } from './finders.ts';
import { beginOf, type Options } from './options.ts';
import { type Inner, unclear, type Word } from './part.ts';
import { setByVariable } from './variables.ts';

const OPTIONS: Readonly<Record<string, Options>> = {
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

export const WRAPPERS: ReadonlyMap<string, Options> = new Map(Object.entries(OPTIONS));

export function wrapped(name: string, words: readonly Word[], options: Options): readonly Inner[] {
  const begin = beginOf(words, options);
  if (begin === 'nothing') return startsShell(name, words) ? [unclear(`${name} starts a shell`)] : [];
  if (begin === 'unclear') return [unclear(`it is not clear which command ${name} starts`)];
  const inner = words.slice(begin);
  const set = options.assignments ? words.slice(0, begin).flatMap(setByVariable) : [];
  return [...set, { is: 'words', words: name === 'xargs' ? withInput(words.slice(0, begin), inner) : inner }];
}

/** Without a command, they start a shell that reads its commands from somewhere. */
const startsShell = (name: string, words: readonly Word[]): boolean =>
  name === 'chroot' ||
  (/^(sudo|doas)$/.test(name) && words.some((word) => /^-(\w*[si]|-shell|-login)/.test(String(word))));

/** xargs adds what it reads behind the words, or puts it in their holes. */
function withInput(options: readonly Word[], inner: readonly Word[]): readonly Word[] {
  const holes = options.flatMap((word, at) => {
    const [, long] = /^--replace=?(.*)$/s.exec(String(word)) ?? [];
    if (long !== undefined) return [long === '' ? '{}' : long];
    const [, letter, rest = ''] = /^-[a-zA-Z0-9]*?([iI])(.*)$/s.exec(String(word)) ?? [];
    if (letter === undefined) return [];
    return [rest !== '' ? rest : letter === 'i' ? '{}' : String(options[at + 1])];
  });
  return [...holes.reduce((words, hole) => filled(words, hole), inner), UNKNOWN];
}
