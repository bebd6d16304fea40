/** Records of runs that lie in the workspace are closed to the file tools, by whatever path. */
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editFileTool } from '../../src/tools/edit-file.ts';
import { listFilesTool } from '../../src/tools/list-files.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import { searchFilesTool } from '../../src/tools/search-files.ts';
import { writeFileTool } from '../../src/tools/write-file.ts';
import { workspace } from './support.ts';

async function withRecords() {
  const w = await workspace({
    'state/runs/a.jsonl': 'record\n',
    'state/runs/a.jsonl.files/1': 'record\n',
    'state/runs-of-mine/x': 'record\n',
    'state/notes': 'record\n',
    'b.jsonl': 'record\n',
    'b.lock-1': 'record\n',
    'b.txt': 'record\n',
  });
  const closed = [`${w.path('state/runs')}/`, w.path('b.jsonl'), w.path('b.lock-')];
  const call = (tool: Parameters<typeof w.call>[0], input: unknown) => w.call(tool, input, { closed });
  return { ...w, call };
}

describe('what pawl records in the workspace', () => {
  it.each([
    'state/runs/a.jsonl',
    'state/runs/a.jsonl.files/1',
    'state/x/../runs/a.jsonl',
    'link/a.jsonl',
    'b.jsonl',
    'b.lock-1',
  ])('is neither read nor changed: %s', async (path) => {
    const { call, root } = await withRecords();
    await symlink('state/runs', join(root, 'link'));
    for (const [tool, input] of [
      [readFileTool, { path }],
      [writeFileTool, { path, content: 'x' }],
      [editFileTool, { path, old_string: 'record', new_string: 'x' }],
      [searchFilesTool(), { path, pattern: 'record' }],
    ] as const)
      expect(await call(tool, input)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/where pawl keeps its records of runs.* so it was not touched/),
      });
    expect(await readFile(join(root, path), 'utf8')).toBe('record\n');
  });

  it('is not added to', async () => {
    const { call } = await withRecords();
    expect((await call(writeFileTool, { path: 'state/runs/b.jsonl', content: 'x' })).isError).toBe(true);
    expect((await call(writeFileTool, { path: 'state/runs', content: 'x' })).isError).toBe(true);
    expect((await call(writeFileTool, { path: 'state/other', content: 'x' })).isError).toBe(false);
  });

  it('is not found and not listed, and what lies beside it is', async () => {
    const { call } = await withRecords();
    const { text } = await call(searchFilesTool(), { pattern: 'record' });
    expect(text.split('\n').sort()).toEqual([
      'b.txt:1:record',
      'state/notes:1:record',
      'state/runs-of-mine/x:1:record',
    ]);
    expect((await call(searchFilesTool(), { pattern: 'record', path: 'state' })).text).not.toContain('runs/');
    const listed = (await call(listFilesTool, {})).text.split('\n');
    expect(listed).toContain('state/runs/');
    expect(listed.filter((line) => line.startsWith('state/runs/'))).toEqual(['state/runs/']);
    expect((await call(listFilesTool, { path: 'state/runs' })).isError).toBe(true);
  });
});
