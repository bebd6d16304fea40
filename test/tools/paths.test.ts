import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileFailure } from '../../src/tools/file-failure.ts';
import { findFolder, resolveInside } from '../../src/tools/paths.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import { writeFileTool } from '../../src/tools/write-file.ts';
import { workspace } from './support.ts';

async function withOutside() {
  const w = await workspace({ 'a/in.txt': 'in' });
  await mkdir(join(w.outside, 'OUTSIDE'));
  await mkdir(join(w.outside, 'W-evil'));
  await writeFile(join(w.outside, 'OUTSIDE/file'), 'CLASSIFIED');
  await symlink('../OUTSIDE', w.path('outbox'));
  await symlink('../OUTSIDE/new', w.path('dangling'));
  await symlink('a', w.path('alias'));
  return w;
}

describe('a path outside the workspace', () => {
  it.each([
    'outbox/file',
    '../OUTSIDE/file',
    'a/../../OUTSIDE/file',
    'alias/../../OUTSIDE/file',
    '/etc/hostname',
    '..',
    '/',
  ])('is not read: %s', async (path) => {
    const { call } = await withOutside();
    const { text, isError } = await call(readFileTool, { path });
    expect(isError).toBe(true);
    expect(text).toMatch(/outside the workspace.*Only paths inside the workspace work/);
    expect(text).not.toMatch(/CLASSIFIED|OUTSIDE/);
  });

  it.each(['outbox/new', 'outbox/deep/new', '../W-evil/y', 'dangling', '../new'])(
    'is not written: %s',
    async (path) => {
      const { call, outside } = await withOutside();
      expect(await call(writeFileTool, { path, content: 'x' })).toMatchObject({ isError: true });
      const left = execFileSync('find', ['.', '-type', 'f'], { cwd: outside, encoding: 'utf8' });
      expect(left.trim().split('\n').sort()).toEqual(['./OUTSIDE/file', './W/a/in.txt']);
    },
  );

  it('is told from one whose name only begins like it', async () => {
    const { root } = await workspace();
    await expect(resolveInside({ workspace: root }, '../W-evil')).rejects.toThrow(/outside/);
    await expect(resolveInside({ workspace: root }, '..W')).resolves.toBe(join(root, '..W'));
  });
});

describe('a path inside the workspace', () => {
  it('may go through a link that stays inside', async () => {
    const { call, path } = await withOutside();
    expect(await call(readFileTool, { path: 'alias/in.txt' })).toEqual({ text: 'in', isError: false });
    await call(writeFileTool, { path: 'alias/ok.txt', content: 'ok' });
    expect(await readFile(path('a/ok.txt'), 'utf8')).toBe('ok');
  });

  it('may be absolute, also through a link to the workspace', async () => {
    const { call, outside, path } = await withOutside();
    await symlink(path('.'), join(outside, 'link-to-W'));
    expect((await call(readFileTool, { path: path('a/in.txt') })).text).toBe('in');
    expect((await call(readFileTool, { path: join(outside, 'link-to-W/a/in.txt') })).text).toBe('in');
  });

  it('works in a workspace that is the root folder', async () => {
    await expect(resolveInside({ workspace: '/' }, '/etc')).resolves.toBe('/etc');
  });

  it('may leave and come back', async () => {
    const { call } = await withOutside();
    expect((await call(readFileTool, { path: '../W/a/in.txt' })).text).toBe('in');
  });
});

describe('a path that cannot be used', () => {
  it.each([
    ['a folder where a file is needed', 'a', /a is a folder, and a file is needed\. Use list_files, or/],
    ['a file where a folder is needed', 'a/in.txt/x', /a file where a folder is needed/],
    ['a NUL character', 'a\0b', /character that no file name can have/],
    ['half a character', 'a\ud800', /character that no file name can have/],
    ['too long a name', 'x'.repeat(300), /longer than the system allows/],
    ['too long a path', 'x/'.repeat(100_000), /longer than the system allows/],
    ['a circle of links', 'circle', /links lead in a circle/],
    ['a pipe', 'pipe', /device, a pipe or a socket/],
  ])('says so: %s', async (_, name, expected) => {
    const { call, path } = await withOutside();
    await symlink('circle', path('circle'));
    execFileSync('mkfifo', [path('pipe')]);
    for (const [tool, more] of [
      [readFileTool, {}],
      [writeFileTool, { content: 'x' }],
    ] as const) {
      const { text, isError } = await call(tool, { path: name, ...more });
      expect(isError).toBe(true);
      expect(text).toMatch(expected);
      expect(text.length).toBeLessThan(800);
    }
    expect(existsSync(path('a/in.txt'))).toBe(true);
  });

  it('says which tool reads a file, where a folder is needed', async () => {
    const { root } = await withOutside();
    await expect(findFolder({ workspace: root }, 'a/in.txt')).rejects.toThrow(
      /a\/in\.txt is a file.*read_file/,
    );
  });

  it.each([
    ['EACCES', /no permission/],
    ['ENOSPC', /disk is full/],
    ['EROFS', /read-only/],
    ['EIO', /the system answered EIO/],
  ])('gives the system error %s in words', (code, expected) => {
    const failure = fileFailure(Object.assign(new Error('x'), { code }), 'read', 'a.txt');
    expect(failure).toMatchObject({ name: 'ToolFailure', message: expect.stringMatching(expected) });
    expect(failure).toMatchObject({ message: expect.stringContaining('Cannot read a.txt: ') });
  });

  it('leaves an error alone that is none of the file system', () => {
    const defect = new TypeError('x');
    expect(fileFailure(defect, 'read', 'a.txt')).toBe(defect);
  });
});

describe('a path that is not there', () => {
  it('names what is close in that folder', async () => {
    const { call } = await workspace({ 'src/config.yaml': '', 'src/index.ts': '', 'src/other.ts': '' });
    const { text, isError } = await call(readFileTool, { path: 'src/confg.yml' });
    expect(isError).toBe(true);
    expect(text).toBe('There is no src/confg.yml. Close names in src: config.yaml.');
  });

  it('compares the first name that is missing', async () => {
    const { call } = await workspace({ 'source/index.ts': '' });
    const { text } = await call(readFileTool, { path: 'sources/deep/index.ts' });
    expect(text).toBe('There is no sources/deep/index.ts. Close names in the workspace: source.');
  });

  it('points to list_files where nothing is close', async () => {
    const { call } = await workspace({ 'index.ts': '' });
    const { text } = await call(readFileTool, { path: 'README.md' });
    expect(text).toBe(
      'There is no README.md. Use list_files, or a program, to see what is in the workspace.',
    );
  });

  it('tells names apart that look the same', async () => {
    const { call, path } = await workspace({ 'caf\u00e9.md': 'COMPOSED', 'cafe\u0301.md': 'DECOMPOSED' });
    expect((await call(readFileTool, { path: 'caf\u00e9.md' })).text).toBe('COMPOSED');
    expect((await call(readFileTool, { path: 'cafe\u0301.md' })).text).toBe('DECOMPOSED');
    await call(writeFileTool, { path: 'cafe\u0301.md', content: 'NEW' });
    expect(await readFile(path('caf\u00e9.md'), 'utf8')).toBe('COMPOSED');
    const { text, isError } = await call(readFileTool, { path: '\uff43\uff41\uff46\u00e9.md' });
    expect(isError).toBe(true);
    expect(text).toContain('(\\uff43\\uff41\\uff46\\u00e9.md)');
    expect(text).toContain('(caf\\u00e9.md)');
    expect(text).toContain('(cafe\\u0301.md)');
  });
});
