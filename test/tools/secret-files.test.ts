import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { editFileTool } from '../../src/tools/edit-file.ts';
import { listFilesTool } from '../../src/tools/list-files.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import { searchFilesTool } from '../../src/tools/search-files.ts';
import { writeFileTool } from '../../src/tools/write-file.ts';
import { workspace } from './support.ts';

const SECRET = [
  '.env',
  '.env.local',
  '.env.production.local',
  'a/b/.env',
  '.ENV',
  '.env.',
  '.env.example.local',
  '.env.x\n',
];
const HARMLESS = [
  '.env.example',
  '.env.sample',
  'a/.env.template',
  '.envrc',
  'env',
  'x.env',
  '.environment',
  '.env-notes',
];

describe('a file that holds secrets by its name', () => {
  it.each(SECRET)('is neither read nor changed nor created: %j', async (path) => {
    const { call, path: real } = await workspace({ [path]: 'KEY=1' });
    const answers = [
      await call(readFileTool, { path }),
      await call(editFileTool, { path, old_string: 'KEY', new_string: 'x' }),
      await call(writeFileTool, { path, content: 'x' }),
      await call(searchFilesTool(), { pattern: 'KEY', path }),
    ];
    for (const { text, isError } of answers) {
      expect(isError).toBe(true);
      expect(text).toMatch(/files of this name hold secrets\. Ask the person/);
    }
    expect(await readFile(real(path), 'utf8')).toBe('KEY=1');
    const empty = await workspace();
    expect((await empty.call(writeFileTool, { path, content: 'x' })).isError).toBe(true);
    expect(await readdir(empty.root)).toEqual([]);
  });

  it.each(HARMLESS)('is told from one that does not: %s', async (path) => {
    const { call } = await workspace({ [path]: 'KEY=1' });
    expect(await call(readFileTool, { path })).toEqual({ text: 'KEY=1', isError: false });
    expect((await call(searchFilesTool(), { pattern: 'KEY', path })).text).toContain(':1:KEY=1');
    expect((await call(writeFileTool, { path, content: 'x' })).isError).toBe(false);
  });

  it('is closed under another name too, and under its own where that is a link', async () => {
    const { call, path } = await workspace({ '.env': 'KEY=1', 'conf/prod': 'KEY=2' });
    await symlink('.env', path('plain'));
    await mkdir(path('app'));
    await symlink('../conf/prod', path('app/.env'));
    for (const name of ['plain', 'app/.env'])
      expect((await call(readFileTool, { path: name })).text).toMatch(/hold secrets/);
  });

  it('is left out of a search, also where include asks for it', async () => {
    const { call } = await workspace(Object.fromEntries([...SECRET, 'a.txt'].map((path) => [path, 'KEY=1'])));
    expect((await call(searchFilesTool(), { pattern: 'KEY' })).text).toBe('a.txt:1:KEY=1');
    expect((await call(searchFilesTool(), { pattern: 'KEY', include: '.env*' })).text).toBe('No matches.');
  });

  it('is listed by its name', async () => {
    const { call } = await workspace({ '.env': 'KEY=1', 'a/.env.local': 'KEY=2' });
    expect((await call(listFilesTool, {})).text).toBe('.env\na/\na/.env.local');
  });

  it('is a file: what lies in a folder of that name is open', async () => {
    const { call } = await workspace({ '.env/lib/a.py': 'hit' });
    expect((await call(readFileTool, { path: '.env/lib/a.py' })).text).toBe('hit');
    expect((await call(listFilesTool, { path: '.env' })).text).toBe('.env/lib/\n.env/lib/a.py');
    expect((await call(searchFilesTool(), { pattern: 'hit' })).text).toBe('.env/lib/a.py:1:hit');
  });
});
