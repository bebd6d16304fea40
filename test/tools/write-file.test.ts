import { chmod, link, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../src/tools/replace-file.ts';
import { writeFileTool } from '../../src/tools/write-file.ts';
import { workspace } from './support.ts';

describe('write_file', () => {
  it('creates a file with the folders to it', async () => {
    const { call, path } = await workspace();
    const answer = await call(writeFileTool, { path: 'a/b/c.txt', content: 'é\r\n' });
    expect(answer).toEqual({ text: 'Created a/b/c.txt (4 bytes).', isError: false });
    expect(await readFile(path('a/b/c.txt'), 'utf8')).toBe('é\r\n');
  });

  it('replaces the content of a file and keeps its mode', async () => {
    const { call, path } = await workspace({ 'run.sh': 'old' });
    await chmod(path('run.sh'), 0o777);
    const { text } = await call(writeFileTool, { path: 'run.sh', content: 'new' });
    expect(text).toBe('Replaced the content of run.sh (3 bytes).');
    expect(await readFile(path('run.sh'), 'utf8')).toBe('new');
    expect((await stat(path('run.sh'))).mode & 0o777).toBe(0o777);
  });

  it('may write nothing', async () => {
    const { call, path } = await workspace({ 'a.txt': 'old' });
    await call(writeFileTool, { path: 'a.txt', content: '' });
    expect((await stat(path('a.txt'))).size).toBe(0);
  });

  it('gives the same when it is repeated', async () => {
    const { call, path } = await workspace();
    for (const _ of [1, 2]) await call(writeFileTool, { path: 'a.txt', content: 'same' });
    expect(await readFile(path('a.txt'), 'utf8')).toBe('same');
  });

  it('writes the file that a link leads to, and leaves the link', async () => {
    const { call, path } = await workspace({ 'real/a.txt': 'old' });
    await symlink('real/a.txt', path('link'));
    await symlink('real/new.txt', path('dangling'));
    await call(writeFileTool, { path: 'link', content: 'new' });
    await call(writeFileTool, { path: 'dangling', content: 'created' });
    expect(await readFile(path('real/a.txt'), 'utf8')).toBe('new');
    expect(await readFile(path('real/new.txt'), 'utf8')).toBe('created');
    expect((await stat(path('link'))).isFile()).toBe(true);
    expect((await readdir(path('real'))).sort()).toEqual(['a.txt', 'new.txt']);
  });

  it('says where a file had other names, which keep what was there', async () => {
    const { call, path } = await workspace({ 'a.txt': 'old' });
    const write = (content: string) => call(writeFileTool, { path: 'a.txt', content });
    await link(path('a.txt'), path('b.txt'));
    expect((await write('new')).text).toMatch(/The file had 2 names \(hard links\); the others keep the old/);
    expect(await readFile(path('b.txt'), 'utf8')).toBe('old');
    expect((await write('newer')).text).not.toContain('names');
  });

  it('never changes a file in place: who has the old one open goes on reading the old one', async () => {
    const { call, path } = await workspace({ 'a.txt': 'old' });
    await link(path('a.txt'), path('old.txt'));
    await call(writeFileTool, { path: 'a.txt', content: 'new' });
    expect(await readFile(path('old.txt'), 'utf8')).toBe('old');
  });

  it('leaves no temporary file behind, also after a failure', async () => {
    const { call, path, root } = await workspace({ 'a.txt': 'old' });
    await call(writeFileTool, { path: 'a.txt', content: 'new' });
    await mkdir(path('folder'));
    await expect(replaceFile(path('folder'), 'x')).rejects.toThrow(/EISDIR/);
    expect((await readdir(root)).sort()).toEqual(['a.txt', 'folder']);
  });

  it('takes a name as long as the system allows', async () => {
    const { call, path } = await workspace();
    await call(writeFileTool, { path: 'x'.repeat(255), content: 'ok' });
    expect(await readFile(path('x'.repeat(255)), 'utf8')).toBe('ok');
  });

  it('refuses a folder', async () => {
    const { call } = await workspace({ 'a/b': '' });
    const { text, isError } = await call(writeFileTool, { path: 'a', content: '' });
    expect(isError).toBe(true);
    expect(text).toMatch(/a is a folder/);
  });
});
