/** What another process can do to a path between its check and its use. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { editFileTool } from '../../src/tools/edit-file.ts';
import { listFilesTool } from '../../src/tools/list-files.ts';
import { assertAt, inFolder, isSameFile, openChecked, openFolder } from '../../src/tools/opened.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import { searchFilesTool } from '../../src/tools/search-files.ts';
import { writeFileTool } from '../../src/tools/write-file.ts';
import { fixedSandbox, workspace } from './support.ts';

/** In the workspace the folder `a` and a link `b` to a folder outside with the same names in it. */
async function withTwin() {
  const w = await workspace({ 'a/file': 'inside', 'a/edited': 'inside' });
  const twin = join(w.outside, 'TWIN');
  await mkdir(twin);
  for (const name of ['file', 'edited', 'SECRET-NAME']) await writeFile(join(twin, name), 'CLASSIFIED');
  await symlink(twin, w.path('b'));
  return { ...w, twin };
}

/** From here on `a` and `b` change places, some hundred thousand times a second. */
async function exchange(a: string, b: string): Promise<void> {
  const program = fileURLToPath(new URL('programs/exchange.py', import.meta.url));
  const child = spawn('python3', [program, a, b], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await once(child.stdout, 'data');
}

async function forASecond(work: () => Promise<void>): Promise<void> {
  const end = performance.now() + 1_000;
  while (performance.now() < end) await work();
}

describe.runIf(process.platform === 'linux')(
  'a folder that changes places with a link to the outside',
  () => {
    it('lets nothing from outside be read or listed', async () => {
      const { call, path } = await withTwin();
      await exchange(path('a'), path('b'));
      const texts = new Set<string>();
      await forASecond(async () => {
        texts.add((await call(readFileTool, { path: 'a/file' })).text);
        texts.add((await call(listFilesTool, { path: 'a' })).text);
        texts.add((await call(listFilesTool, {})).text);
        texts.add(
          (await call(editFileTool, { path: 'a/edited', old_string: 'CLASSIFIED', new_string: 'x' })).text,
        );
      });
      expect([...texts].filter((text) => /CLASSIFIED|SECRET-NAME|Edited/.test(text))).toEqual([]);
      expect(texts).toContain('inside');
      expect([...texts].some((text) => text.includes('was exchanged'))).toBe(true);
    });

    it('lets nothing outside be written, neither files nor folders', async () => {
      const { call, path, twin } = await withTwin();
      await exchange(path('a'), path('b'));
      let n = 0;
      let written = 0;
      await forASecond(async () => {
        n += 1;
        const answers = [
          await call(writeFileTool, { path: 'a/file', content: `${n}` }),
          await call(writeFileTool, { path: `a/new-${n}/deep/file`, content: 'x' }),
          await call(editFileTool, { path: 'a/edited', old_string: 'inside', new_string: `inside${n}` }),
        ];
        written += answers.filter(({ isError }) => !isError).length;
      });
      expect((await readdir(twin)).sort()).toEqual(['SECRET-NAME', 'edited', 'file']);
      for (const name of await readdir(twin))
        expect(await readFile(join(twin, name), 'utf8')).toBe('CLASSIFIED');
      expect(written).toBeGreaterThan(0);
    });
  },
);

describe('what was opened', () => {
  it('must be what the path leads to, without a link', async () => {
    const { path, twin } = await withTwin();
    expect(() => openChecked(path('b/file'))).toThrow(/was exchanged/);
    expect(() => openFolder(path('b'))).toThrow();
    await symlink('file', path('a/link'));
    expect(() => openChecked(path('a/link'))).toThrow(/was exchanged/);
    expect(await readdir(twin)).toHaveLength(3);
  });

  it('is known again by its identity too, where the system cannot say where it lies', async () => {
    const { path } = await withTwin();
    const inside = openSync(path('a/file'), constants.O_RDONLY);
    const outside = openSync(path('b/file'), constants.O_RDONLY);
    onTestFinished(() => [inside, outside].forEach(closeSync));
    expect(isSameFile(inside, path('a/file'))).toBe(true);
    expect(isSameFile(outside, path('a/file'))).toBe(false);
    expect(isSameFile(outside, path('b/file'))).toBe(false);
  });

  it('is left alone when its folder has been moved away', async () => {
    const { path, outside } = await withTwin();
    const folder = openFolder(path('a/new/deep'));
    onTestFinished(() => closeSync(folder));
    expect(await readdir(path('a/new'))).toEqual(['deep']);
    await rename(path('a'), join(outside, 'moved'));
    expect(() => assertAt(folder, path('a/new/deep'))).toThrow();
    if (process.platform === 'linux') expect(await readdir(inFolder(folder, path('a/new/deep')))).toEqual([]);
  });

  it('is what a search is about: found lines are dropped when something else lies there afterwards', async () => {
    const { call, path } = await withTwin();
    const { sandbox } = fixedSandbox({ kind: 'exited', exitCode: 0 }, './a/file:1:CLASSIFIED\n');
    const moving = {
      run: async (request: Parameters<typeof sandbox.run>[0]) => {
        await rename(path('a'), path('c'));
        await rename(path('b'), path('a'));
        return sandbox.run(request);
      },
    };
    const input = { pattern: 'x', path: 'a' };
    expect((await call(searchFilesTool(), input, { sandbox: moving })).text).toMatch(/was exchanged/);
    await unlink(path('a'));
    expect((await call(searchFilesTool(), input, { sandbox })).text).toMatch(/There is no a/);
  });
});
