/** Programs that look a program up and start it: the dynamic linker, and those of package managers. */
import { operandsOf } from './global-options.ts';
import { beginOf, type Options } from './options.ts';
import type { Inner, Word } from './part.ts';

const NPX: Options = {
  flags: 'yq',
  values: 'pw',
  longFlags: [
    'yes',
    'no',
    'no-install',
    'quiet',
    'ignore-existing',
    'prefer-offline',
    'offline',
    'bun',
    'silent',
  ],
  longValues: ['package', 'workspace', 'prefix', 'registry', 'cache', 'userconfig'],
};
const UV: Options = {
  flags: 'qvn',
  values: 'p',
  longFlags: [
    'isolated',
    'no-project',
    'no-sync',
    'frozen',
    'locked',
    'offline',
    'quiet',
    'all-extras',
    'active',
  ],
  longValues: ['with', 'from', 'python', 'extra', 'group', 'project', 'directory', 'env-file', 'package'],
};
const PLAIN: Options = { flags: 'qvn', longFlags: ['quiet', 'silent', 'verbose'] };
const CONDA: Options = {
  values: 'np',
  longValues: ['name', 'prefix', 'cwd'],
  longFlags: ['no-capture-output', 'live-stream'],
};

/** By program, or by program and command. */
const LAUNCHERS: Readonly<Record<string, Options>> = {
  npx: NPX,
  pnpx: NPX,
  bunx: NPX,
  uvx: UV,
  'cross-env': { assignments: true },
  'npm exec': NPX,
  'npm x': NPX,
  'pnpm exec': NPX,
  'pnpm dlx': NPX,
  'yarn exec': NPX,
  'yarn dlx': NPX,
  'bun x': NPX,
  'uv run': UV,
  'pipx run': PLAIN,
  'poetry run': PLAIN,
  'pipenv run': PLAIN,
  'pdm run': PLAIN,
  'rye run': PLAIN,
  'hatch run': PLAIN,
  'bundle exec': PLAIN,
  'pyenv exec': PLAIN,
  'rbenv exec': PLAIN,
  'conda run': CONDA,
  'mamba run': CONDA,
  'direnv exec': { operands: 1 },
  'mise exec': PLAIN,
  'mise x': PLAIN,
  'lerna exec': PLAIN,
  'nx exec': PLAIN,
};

const BY_NAME = new Map(Object.entries(LAUNCHERS));

/** What allows the launcher allows what it starts: it is mostly a part of the project, and rules are written about `npx vitest`. */
export function launched(name: string, words: readonly Word[]): readonly Inner[] {
  const plain = BY_NAME.get(name);
  const [command, ...rest] = plain ? [] : operandsOf(name, words);
  const options = plain ?? (typeof command === 'string' ? BY_NAME.get(`${name} ${command}`) : undefined);
  if (options === undefined) return [];
  const given = plain ? words : rest;
  const begin = beginOf(given, options);
  if (begin === 'nothing') return [];
  if (typeof begin === 'number') return [{ is: 'words', words: given.slice(begin), isCovered: true }];
  const text = given[given.findIndex((word) => word === '-c' || word === '--call') + 1];
  return options === NPX && typeof text === 'string' && given.includes('-c') !== given.includes('--call')
    ? [{ is: 'script', text, isBash: false, isCovered: true }]
    : [{ is: 'unknown', why: `it is not clear what ${name} starts`, isCovered: true }];
}

const LINKER: Options = {
  longFlags: ['inhibit-cache'],
  longValues: [
    'library-path',
    'preload',
    'audit',
    'argv0',
    'glibc-hwcaps-prepend',
    'glibc-hwcaps-mask',
    'inhibit-rpath',
  ],
};

export const isLinker = (name: string): boolean => /^ld[\w.-]*\.so[\d.]*$/.test(name);

/** /lib64/ld-linux-x86-64.so.2 PROGRAM */
export function linked(words: readonly Word[]): readonly Inner[] {
  const begin = beginOf(words, LINKER);
  if (begin === 'nothing') return [];
  return begin === 'unclear'
    ? [{ is: 'unknown', why: 'it is not clear which program the linker starts' }]
    : [{ is: 'words', words: words.slice(begin) }];
}
