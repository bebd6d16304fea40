import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { listFilesTool } from '../../src/tools/list-files.ts';
import { workspace } from './support.ts';

describe('list_files', () => {
  it('lists everything below, sorted, folders with a slash and before their content', async () => {
    const { call } = await workspace({
      'b.txt': '',
      'a/z.txt': '',
      'a/b/c.txt': '',
      'a-b.txt': '',
      'B.txt': '',
    });
    const { text } = await call(listFilesTool, {});
    expect(text.split('\n')).toEqual(['B.txt', 'a/', 'a/b/', 'a/b/c.txt', 'a/z.txt', 'a-b.txt', 'b.txt']);
  });

  it('gives paths as the other tools take them, also below a folder', async () => {
    const { call } = await workspace({ 'a/b/c.txt': '', 'd.txt': '' });
    expect((await call(listFilesTool, { path: 'a' })).text).toBe('a/b/\na/b/c.txt');
  });

  it('says of an empty folder that it is empty', async () => {
    const { call } = await workspace();
    expect((await call(listFilesTool, { path: '.' })).text).toBe('(empty folder)');
  });

  it('does not enter .git and node_modules, unless asked for them by path', async () => {
    const { call } = await workspace({ '.git/config': '', 'a/node_modules/m/index.js': '', '.env': '' });
    expect((await call(listFilesTool, {})).text).toBe('.env\n.git/\na/\na/node_modules/');
    expect((await call(listFilesTool, { path: '.git' })).text).toBe('.git/config');
    const { text } = await call(listFilesTool, { path: 'a/node_modules' });
    expect(text).toBe('a/node_modules/m/\na/node_modules/m/index.js');
  });

  it('shows where links lead and does not follow them', async () => {
    const { call, path } = await workspace({ 'a/file': '' });
    await symlink('..', path('a/loop'));
    await symlink('/etc', path('etc'));
    await symlink('nowhere', path('dangling'));
    expect((await call(listFilesTool, {})).text).toBe(
      'a/\na/file\na/loop -> ..\ndangling -> nowhere\netc -> /etc',
    );
  });

  it('keeps each name on one line and shows what is hidden in it', async () => {
    const { call } = await workspace({ 'a\nfake': '', 'b\u001b[2J': '', 'c\u202egnp': '', 'café 你好': '' });
    const { text } = await call(listFilesTool, {});
    expect(text.split('\n')).toEqual(['a\\u000afake', 'b\\u001b[2J', 'café 你好', 'c\\u202egnp']);
  });

  it('lists a thousand entries and says that there are more, upper levels first', async () => {
    const { call, path } = await workspace({ 'z/last.txt': '' });
    await mkdir(path('a'));
    await Promise.all(Array.from({ length: 1_100 }, (_, at) => writeFile(path(`a/${at}`), '')));
    const lines = (await call(listFilesTool, {})).text.split('\n');
    expect(lines.length).toBe(1_001);
    expect(lines.at(-2)).toBe('z/');
    expect(lines.at(-1)).toBe(
      '[There are more entries. List a folder of these by its path to see the rest.]',
    );
  });

  it('keeps within its characters where names are long', async () => {
    const { call, path } = await workspace();
    const long = 'x'.repeat(240);
    await Promise.all(Array.from({ length: 400 }, (_, at) => writeFile(path(`${at}-${long}`), '')));
    const { text } = await call(listFilesTool, {});
    expect(text.length).toBeLessThan(51_000);
    expect(text).toMatch(/There are more entries/);
  });

  it.each([
    ['no-such', /There is no no-such/],
    ['file.txt', /file\.txt is a file, and a folder is needed/],
    ['..', /outside the workspace/],
  ])('refuses %s', async (path, expected) => {
    const { call } = await workspace({ 'file.txt': '' });
    const { text, isError } = await call(listFilesTool, { path });
    expect(isError).toBe(true);
    expect(text).toMatch(expected);
  });

  it('stops when the run is cancelled', async () => {
    const { call } = await workspace();
    const signal = AbortSignal.abort();
    await expect(call(listFilesTool, {}, { signal })).rejects.toThrow(/abort/);
  });
});
