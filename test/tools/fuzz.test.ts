/** Whatever a model writes into a call of a built-in tool: an answer comes, and nothing outside the workspace changes. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { localSandbox } from '../../src/sandbox/process.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { fixedSandbox, workspace } from './support.ts';

const PARTS = [
  ...['..', '.', '', 'W', 'W-evil', 'OUTSIDE', 'file', 'new', 'sub', 'a.txt', 'A.TXT', '.env', '.git', '~'],
  ...['outbox', 'alias', 'dangling', 'leaf', 'circle', 'into', '/etc', '/proc/self/fd/0', '/proc/self/cwd'],
  ...[
    'caf\u00e9',
    'cafe\u0301',
    '\uff41.txt',
    'a\0b',
    '\ud800',
    'x'.repeat(300),
    '-rf',
    '$(id)',
    '`id`',
    '*',
    '\n',
  ],
];
const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 })
      .map((all) => all.join('/')),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['outbox/file', 'outbox/new', 'leaf', 'into', 'dangling', '../OUTSIDE/file', '../W-evil/new', '..'],
      ...['alias/../../OUTSIDE/sub/file', 'sub/../../file', 'outbox/sub/../../W/a.txt', 'outbox', 'circle/x'],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.constantFrom('x/'.repeat(3_000), '/', '//', '/..') },
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'text', '\r\n', '\ufeff', '$&', '(', '[', '\\d', 'a{1,99999}', '\0', '-e'),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1, 0, -1, 2 ** 53, Number.NaN));

/** Inputs of the right form with odd values, and of the wrong form. */
const fields = {
  path,
  content: text,
  old_string: text,
  new_string: text,
  replace_all: fc.boolean(),
  offset: number,
  limit: number,
  pattern: text,
  include: text,
  command: text,
  code: text,
};
const inputOf = (tool: Tool) => {
  const names = Object.keys(
    tool.input._zod.def.type === 'object' ? ((tool.input as { shape?: object }).shape ?? {}) : {},
  );
  const form = Object.fromEntries(names.map((name) => [name, fields[name as keyof typeof fields] ?? text]));
  const odd = fc.oneof(fc.jsonValue(), fc.record({ ...form, more: fc.jsonValue() }, { requiredKeys: [] }));
  return fc.oneof({ weight: 5, arbitrary: fc.record(form) }, { weight: 1, arbitrary: odd });
};

/** A workspace in which links lead everywhere, and an outside that can be compared. */
async function hostilePlace() {
  const w = await workspace({ 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'b', '.env': 'KEY=1', 'caf\u00e9': 'c' });
  for (const folder of ['OUTSIDE', 'W-evil', 'OUTSIDE/sub']) await mkdir(join(w.outside, folder));
  for (const file of ['OUTSIDE/file', 'OUTSIDE/sub/file', 'W-evil/file', 'file'])
    await writeFile(join(w.outside, file), 'CLASSIFIED');
  for (const [name, target] of [
    ['outbox', '../OUTSIDE'],
    ['dangling', '../OUTSIDE/new'],
    ['leaf', '../OUTSIDE/file'],
    ['into', '../OUTSIDE/sub/new/deep'],
    ['alias', 'sub'],
    ['circle', 'circle'],
  ] as const)
    await symlink(target, w.path(name));
  return w;
}

/** Names and contents of all that lies beside the workspace. */
function outsideOf(folder: string): string {
  const beside = readdirSync(folder).filter((name) => name !== 'W');
  const lines = beside.flatMap((top) => {
    const isFolder = statSync(join(folder, top)).isDirectory();
    const inside = isFolder ? readdirSync(join(folder, top), { recursive: true, encoding: 'utf8' }) : [];
    return [top, ...inside.map((name) => join(top, name))];
  });
  return lines
    .sort()
    .map((name) =>
      statSync(join(folder, name)).isFile() ? `${name} ${readFileSync(join(folder, name))}` : name,
    )
    .join('\n');
}

/** Those that open files get more tries. */
const RUNS: Readonly<Record<string, number>> = { read_file: 150, write_file: 150, edit_file: 120 };

it.each(builtinTools().map((tool) => [tool.name, tool] as const))(
  '%s answers any input, and touches nothing outside',
  async (name, tool) => {
    // What a command does is the sandbox's matter: here none is run but grep.
    const ran = fixedSandbox({ kind: 'exited', exitCode: 0 }, 'ok');
    const sandbox: Sandbox = name === 'search_files' ? localSandbox() : ran.sandbox;
    const w = await hostilePlace();
    const before = outsideOf(w.outside);
    await fc.assert(
      fc.asyncProperty(inputOf(tool), async (input) => {
        const { text: answer, isError } = await w.call(tool, input, { sandbox });
        expect([typeof answer, typeof isError]).toEqual(['string', 'boolean']);
        expect(answer).not.toContain('CLASSIFIED');
        expect(outsideOf(w.outside)).toBe(before);
      }),
      { numRuns: RUNS[name] ?? 40 },
    );
    expect(ran.requests.every(({ cwd }) => cwd === w.root)).toBe(true);
  },
);
