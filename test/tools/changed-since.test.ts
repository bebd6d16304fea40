import { readFile, unlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { editFileTool } from '../../src/tools/edit-file.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import { replaceFile, statOf } from '../../src/tools/replace-file.ts';
import {
  type FileChange,
  type FinishedCall,
  type Tool,
  type ToolContext,
  ToolFailure,
} from '../../src/tools/tool.ts';
import { writeFileTool } from '../../src/tools/write-file.ts';
import { workspace } from './support.ts';

/** Calls in a row, each knowing what those before it have noted, as in a run. */
async function runIn(files: Readonly<Record<string, string | Uint8Array>>) {
  const w = await workspace(files);
  const finished: FinishedCall[] = [];
  const kept: (FileChange & { readonly onDisk: string | undefined })[] = [];
  const context: Partial<ToolContext> = {
    finishedCalls: () => finished,
    keepFile: async (change) => {
      const onDisk = await readFile(w.path(change.path), 'utf8').catch(() => undefined);
      kept.push({ ...change, onDisk });
    },
  };
  const call = async (tool: Tool, input: object) => {
    const answer = await w.call(tool, input, context);
    const { file } = answer;
    finished.push({ name: tool.name, input, isError: answer.isError, ...(file && { file }) });
    return answer;
  };
  return { ...w, call, kept, context };
}

const edit = (path: string, old_string: string, new_string: string) => ({ path, old_string, new_string });

describe('a file that has changed since the model saw it', () => {
  it.each([
    ['edit_file', editFileTool, edit('a.txt', 'two', '2')],
    ['write_file', writeFileTool, { path: 'a.txt', content: 'mine' }],
  ] as const)('is not changed by %s, until it is read again', async (_, tool, input) => {
    const { call, path } = await runIn({ 'a.txt': 'one two' });
    await call(readFileTool, { path: 'a.txt' });
    await writeFile(path('a.txt'), 'one two three');
    const refused = await call(tool, input);
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^a\.txt has changed since you last saw it.*nothing was written\. Read it again/,
      ),
    });
    expect(await readFile(path('a.txt'), 'utf8')).toBe('one two three');
    await call(readFileTool, { path: 'a.txt' });
    expect((await call(tool, input)).isError).toBe(false);
  });

  it('is known under its real path, whatever name it is called by', async () => {
    const { call, path } = await runIn({ 'a.txt': 'one' });
    await call(readFileTool, { path: './x/../a.txt' });
    await writeFile(path('a.txt'), 'two');
    expect((await call(editFileTool, edit(path('a.txt'), 'two', 'three'))).isError).toBe(true);
  });

  it('was seen by the part that was read of it', async () => {
    const { call, path } = await runIn({ 'a.txt': 'one\ntwo\n' });
    await call(readFileTool, { path: 'a.txt', limit: 1 });
    await writeFile(path('a.txt'), 'one\nthree\n');
    expect((await call(editFileTool, edit('a.txt', 'one', '1'))).isError).toBe(true);
  });

  it('may be too large to be kept whole, and smaller by now', async () => {
    const { call, path } = await runIn({ 'a.log': Buffer.alloc(10_000_001, 'text\n') });
    await call(readFileTool, { path: 'a.log', limit: 1 });
    expect((await call(writeFileTool, { path: 'a.log', content: '' })).text).toMatch(/larger than 10 MB/);
    await writeFile(path('a.log'), 'text\n');
    expect((await call(writeFileTool, { path: 'a.log', content: '' })).text).toMatch(/has changed since/);
  });
});

describe('a file may be changed', () => {
  it('that was never read: an edit names what it replaces, and the rest is kept', async () => {
    const { call, path } = await runIn({ 'a.txt': 'one', 'b.txt': 'one' });
    expect((await call(editFileTool, edit('a.txt', 'one', 'two'))).isError).toBe(false);
    expect((await call(writeFileTool, { path: 'b.txt', content: 'two' })).isError).toBe(false);
    expect(await readFile(path('b.txt'), 'utf8')).toBe('two');
  });

  it('again and again after the calls of the run itself', async () => {
    const { call, path } = await runIn({ 'a.txt': 'one' });
    await call(readFileTool, { path: 'a.txt' });
    await call(editFileTool, edit('a.txt', 'one', 'two'));
    await call(editFileTool, edit('a.txt', 'two', 'three'));
    await call(writeFileTool, { path: 'a.txt', content: 'four' });
    expect((await call(editFileTool, edit('a.txt', 'four', 'five'))).isError).toBe(false);
    expect(await readFile(path('a.txt'), 'utf8')).toBe('five');
  });

  it('that was only touched, or written with the same content', async () => {
    const { call, path } = await runIn({ 'a.txt': 'one' });
    await call(readFileTool, { path: 'a.txt' });
    await writeFile(path('a.txt'), 'one');
    expect((await call(editFileTool, edit('a.txt', 'one', 'two'))).isError).toBe(false);
  });

  it('that is gone since: there is nothing that could be lost', async () => {
    const { call, path } = await runIn({ 'a.txt': 'one' });
    await call(readFileTool, { path: 'a.txt' });
    await unlink(path('a.txt'));
    expect((await call(writeFileTool, { path: 'a.txt', content: 'two' })).text).toMatch(/^Created/);
  });

  it('by a call that has already written it before a crash', async () => {
    const { call, path } = await runIn({ 'a.txt': 'one' });
    await call(readFileTool, { path: 'a.txt' });
    await writeFile(path('a.txt'), 'two');
    expect((await call(writeFileTool, { path: 'a.txt', content: 'two' })).isError).toBe(false);
  });
});

describe('before a file is changed', () => {
  it('it is given to be kept, with its mode and what comes of it, and is still as it was', async () => {
    const { call, kept } = await runIn({ 'a.txt': 'one' });
    await call(editFileTool, edit('a.txt', 'one', 'two'));
    await call(writeFileTool, { path: 'x/y/new.txt', content: 'new' });
    await call(writeFileTool, { path: 'x/new.txt', content: 'new' });
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(kept).toEqual([
      {
        path: 'a.txt',
        before: { content: Buffer.from('one'), mode: expect.any(Number) },
        after: sha256,
        onDisk: 'one',
      },
      { path: 'x/y/new.txt', before: null, after: sha256, madeFolder: 'x', onDisk: undefined },
      { path: 'x/new.txt', before: null, after: sha256, onDisk: undefined },
    ]);
  });

  it('and where it cannot be kept, it stays as it is', async () => {
    const w = await workspace({ 'a.txt': 'one' });
    const keepFile = () => Promise.reject(new ToolFailure('the disk is full'));
    for (const [tool, input] of [
      [editFileTool, edit('a.txt', 'one', 'two')],
      [writeFileTool, { path: 'a.txt', content: 'two' }],
    ] as const)
      expect(await w.call(tool, input, { keepFile })).toMatchObject({
        text: 'the disk is full',
        isError: true,
      });
    expect(await readFile(w.path('a.txt'), 'utf8')).toBe('one');
  });

  it('somebody else may still change it, and then that is not lost', async () => {
    const w = await workspace({ 'a.txt': 'one' });
    const keepFile = () => writeFile(w.path('a.txt'), 'from elsewhere');
    const { text, isError } = await w.call(editFileTool, edit('a.txt', 'one', 'two'), { keepFile });
    expect([isError, text]).toEqual([true, expect.stringMatching(/changed by somebody else.*Read it again/)]);
    const created = await w.call(
      writeFileTool,
      { path: 'b.txt', content: 'mine' },
      { keepFile: () => writeFile(w.path('b.txt'), 'from elsewhere') },
    );
    expect(created.isError).toBe(true);
    for (const name of ['a.txt', 'b.txt'])
      expect(await readFile(w.path(name), 'utf8')).toBe('from elsewhere');
  });
});

describe('a new content', () => {
  it.each([
    ['plain line ends', 'a\nb\n', 'x\ny\n', 'x\ny\n'],
    ['Windows line ends', 'a\r\nb\r\n', 'x\ny\n', 'x\r\ny\r\n'],
    ['Windows line ends, where it has some', 'a\r\nb\r\n', 'x\r\ny\n', 'x\r\ny\n'],
    ['mixed line ends', 'a\r\nb\n', 'x\ny\n', 'x\ny\n'],
    ['no line ends', 'a', 'x\ny\n', 'x\ny\n'],
    ['a byte order mark', '\ufeffa\n', 'x\n', '\ufeffx\n'],
    ['a byte order mark, where it has one', '\ufeffa\n', '\ufeffx\n', '\ufeffx\n'],
  ])('keeps the form of a file with %s', async (_, before, content, after) => {
    const { call, path } = await runIn({ 'a.txt': before });
    await call(writeFileTool, { path: 'a.txt', content });
    expect(await readFile(path('a.txt'), 'utf8')).toBe(after);
    // The same call once more, as after a crash.
    expect((await call(writeFileTool, { path: 'a.txt', content })).isError).toBe(false);
    expect(await readFile(path('a.txt'), 'utf8')).toBe(after);
  });

  it('of a file whose name another one could be taken for is told so', async () => {
    const { call } = await runIn({ 'README.md': '', 'caf\u00e9.md': '' });
    expect((await call(writeFileTool, { path: 'Readme.md', content: '' })).text).toMatch(
      /^Created Readme\.md .* Beside it there is README\.md, whose name differs only in case/,
    );
    expect((await call(writeFileTool, { path: 'cafe\u0301.md', content: '' })).text).toContain(
      'café.md (caf\\u00e9.md)',
    );
    expect((await call(writeFileTool, { path: 'README.md', content: 'x' })).text).not.toContain('Beside');
  });
});

it('a file is replaced only by whoever knows what it is', async () => {
  const w = await workspace({ 'a.txt': 'one' });
  const expected = (await statOf(w.path('a.txt'))) ?? null;
  await writeFile(w.path('a.txt'), 'from elsewhere');
  await expect(replaceFile(w.path('a.txt'), 'x', { expected })).rejects.toThrow(/somebody else/);
  await expect(replaceFile(w.path('a.txt'), 'x', { expected: null })).rejects.toThrow(/somebody else/);
  await expect(replaceFile(w.path('b.txt'), 'x', { expected })).rejects.toThrow(/somebody else/);
  expect(await readFile(w.path('a.txt'), 'utf8')).toBe('from elsewhere');
});
