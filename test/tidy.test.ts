import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const walk = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));

const production = [...walk('machines'), ...walk('src'), ...walk('visualizer')];
const tests = walk('test');

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
}
const IMPORT =
  /^\s*(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** Imports of a file: packages by name, own files by their path from the root. */
function importsOf(file: string): Import[] {
  return [...read(file).matchAll(IMPORT)].map((match) => {
    const target = match[2] ?? match[3] ?? '';
    const own = target.startsWith('.') ? path.normalize(path.join(path.dirname(file), target)) : target;
    return { file, target: own, isType: match[1] !== undefined };
  });
}
const imports = production.flatMap(importsOf);

/** The room that a file belongs to: "machines", "visualizer", "src/tools", or "src" for the files between the rooms. */
const roomOf = (file: string): string =>
  /^(machines|visualizer)\//.test(file)
    ? (file.split('/')[0] ?? '')
    : file.split('/').length > 2
      ? file.split('/').slice(0, 2).join('/')
      : 'src';

/** Who may know whom. What is not listed is a new arrow: decide it here and in ARCHITECTURE.md together. */
const ARROWS: Record<string, readonly string[]> = {
  machines: [],
  'src/checks': [],
  'src/sandbox': ['src/checks'],
  'src/budget': ['machines'],
  'src/permissions': ['machines'],
  'src/model': ['machines', 'src/checks'],
  'src/tools': ['machines', 'src/checks', 'src/sandbox'],
  'src/hooks': ['machines', 'src/checks', 'src/sandbox'],
  'src/journal': ['machines', 'src/sandbox'],
  'src/actors': [
    'machines',
    'src/checks',
    'src/budget',
    'src/model',
    'src/tools',
    'src/permissions',
    'src/hooks',
    'src/journal',
    'src/sandbox',
  ],
  'src/inspector': ['machines', 'src/journal', 'src/actors', 'src/permissions'],
  visualizer: ['machines', 'src/journal', 'src/inspector'],
  src: [
    'machines',
    'src/checks',
    'src/actors',
    'src/budget',
    'src/model',
    'src/tools',
    'src/permissions',
    'src/hooks',
    'src/journal',
    'src/sandbox',
  ],
  'src/restate': [
    'machines',
    'src',
    'src/checks',
    'src/actors',
    'src/model',
    'src/tools',
    'src/permissions',
    'src/journal',
  ],
  'src/cli': [
    'machines',
    'src',
    'src/checks',
    'src/restate',
    'src/budget',
    'src/model',
    'src/tools',
    'src/permissions',
    'src/hooks',
    'src/journal',
    'src/sandbox',
    'src/inspector',
  ],
};

/** One owner for each dependency; node:http belongs to the model's transport and to the page's server. */
const OWNERS: Record<string, readonly string[]> = {
  '@anthropic-ai/sdk': ['src/model'],
  '@statelyai/inspect': ['src/inspector'],
  '@restatedev/restate-sdk': ['src/restate'],
  '@restatedev/restate-sdk-clients': ['src/restate'],
  execa: ['src/sandbox'],
  'fast-string-width': ['src/cli'],
  'fast-wrap-ansi': ['src/cli'],
  commander: ['src/cli'],
  diff: ['src/cli'],
  'http-proxy-agent': ['src/model'],
  'https-proxy-agent': ['src/model'],
  'proxy-from-env': ['src/model'],
  'node:http': ['src/model', 'src/inspector'],
  'node:https': ['src/model'],
  'node:http2': ['src/restate'],
  'node:child_process': [],
  unbash: ['src/permissions'],
  yaml: ['src/model', 'src/cli'],
  zod: ['src/model', 'src/tools', 'src/cli'],
  xstate: ['machines', 'src/journal', 'src/actors', 'src/inspector', 'src/restate', 'src', 'visualizer'],
  preact: ['visualizer'],
};

describe('the rooms', () => {
  it.each(Object.keys(ARROWS))('%s imports only what the table allows', (room) => {
    const found = imports.filter(({ file }) => roomOf(file) === room);
    const wrong = found.filter(({ target }) => /^(machines|src|visualizer|test|examples)\//.test(target));
    const refused = wrong.filter(
      ({ target }) => roomOf(target) !== room && !ARROWS[room]?.includes(roomOf(target)),
    );
    expect(refused.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('give the page only what runs in a browser, and no more of the server than its words', () => {
    const pure = ['codec', 'compare', 'fold', 'record', 'transcript'].map((name) => `src/journal/${name}.ts`);
    const reached = new Set<string>();
    const follow = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { target, isType } of importsOf(file))
        if (!isType && target.startsWith('src/')) follow(target);
    };
    for (const { target, isType } of imports.filter(({ file }) => roomOf(file) === 'visualizer'))
      if (target.startsWith('src/') && !(isType && target === 'src/inspector/protocol.ts')) follow(target);
    expect([...reached].filter((file) => !pure.includes(file))).toEqual([]);
  });

  it('has a row for each room', () => {
    expect([...new Set(production.map(roomOf))].sort()).toEqual(Object.keys(ARROWS).sort());
  });

  it('keeps the machines to xstate and their own files', () => {
    const foreign = imports.filter(
      ({ file, target }) => roomOf(file) === 'machines' && roomOf(target) !== 'machines',
    );
    expect(
      foreign.filter(({ target }) => target !== 'xstate').map(({ file, target }) => `${file} -> ${target}`),
    ).toEqual([]);
  });

  it.each(Object.entries(OWNERS))('%s is known to its owner alone', (dependency, owners) => {
    const users = imports.filter(
      ({ target }) => target === dependency || target.startsWith(`${dependency}/`),
    );
    expect(users.filter(({ file }) => !owners.includes(roomOf(file))).map(({ file }) => file)).toEqual([]);
  });

  it('takes nothing from packages that are not declared', () => {
    const { dependencies, peerDependencies } = JSON.parse(read('package.json'));
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    // The page is bundled: what it is made of is needed to build it, not to run it.
    const packages = imports.filter(
      ({ file, target }) => roomOf(file) !== 'visualizer' && !/^(node:|machines\/|src\/)/.test(target),
    );
    const names = packages.map(({ target }) =>
      target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/'),
    );
    expect([...new Set(names)].filter((name) => !declared.includes(name))).toEqual([]);
  });
});

describe('the sources', () => {
  const violations = (files: readonly string[], pattern: RegExp) =>
    files.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
  const others = [...production, ...tests].filter((file) => file !== 'test/tidy.test.ts');

  it('have no clock, chance, id or timer in the machines', () => {
    const pattern =
      /\bDate\b|Math\.random|randomUUID|setTimeout|setInterval|process\.|performance\.|\bafter:/;
    expect(
      violations(
        walk('machines').filter((file) => file.endsWith('.ts')),
        pattern,
      ),
    ).toEqual([]);
  });

  it('print only in the command line room', () => {
    const elsewhere = production.filter((file) => roomOf(file) !== 'src/cli');
    expect(violations(elsewhere, /console\.|process\.(stdout|stderr)/)).toEqual([]);
  });

  it('never leave with process.exit after output, which would cut a pipe', () => {
    const allowed = production.filter((file) => file !== 'src/cli/signals.ts');
    expect(violations(allowed, /process\.exit\(/)).toEqual([]);
  });

  it('have no left-overs, escapes from types, skipped tests or mocked modules', () => {
    const pattern =
      /\b(TODO|FIXME|XXX)\b|\bas any\b|: any\b|@ts-(ignore|nocheck|expect-error)|\.(skip|only|todo)\(|vi\.mock|v8 ignore/;
    expect(violations(others, pattern)).toEqual([]);
  });

  it('stay readable: no production file is longer than 250 lines', () => {
    expect(production.filter((file) => read(file).split('\n').length > 251)).toEqual([]);
  });
});

describe('the package', () => {
  it('records no download address in its lock file', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
  });

  it('says one version everywhere', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('src/version.ts')).toContain(`'${version}'`);
    expect(read('CHANGELOG.md')).toContain(`## ${version}`);
  });
});
