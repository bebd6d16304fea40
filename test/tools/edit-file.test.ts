import { chmod, link, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../src/tools/edit.ts';
import { editFileTool } from '../../src/tools/edit-file.ts';
import { workspace } from './support.ts';

async function edit(content: string | Uint8Array, old_string: string, new_string: string, more: object = {}) {
  const { call, path } = await workspace({ 'a.txt': content });
  const answer = await call(editFileTool, { path: 'a.txt', old_string, new_string, ...more });
  return { ...answer, bytes: await readFile(path('a.txt')), content: await readFile(path('a.txt'), 'utf8') };
}

describe('edit_file', () => {
  it('replaces the text and says where', async () => {
    expect(await edit('a\nb\nc\n', 'b', 'B')).toMatchObject({
      text: 'Edited a.txt: 1 place, at line 2.',
      isError: false,
      content: 'a\nB\nc\n',
    });
  });

  it('says where a file had other names, which keep what was there', async () => {
    const { call, path } = await workspace({ 'a.txt': 'old' });
    await link(path('a.txt'), path('b.txt'));
    const { text } = await call(editFileTool, { path: 'a.txt', old_string: 'old', new_string: 'new' });
    expect(text).toMatch(/at line 1\. The file had 2 names/);
    expect(await readFile(path('b.txt'), 'utf8')).toBe('old');
  });

  it('deletes the text where the new one is empty', async () => {
    expect((await edit('a\nb\nc\n', 'b\n', '')).content).toBe('a\nc\n');
  });

  it('takes the new text literally', async () => {
    const dollars = 'log("$& $$ $1 $` $\' $<n> ok");';
    expect((await edit('// head\nlog("done");\n// tail\n', 'log("done");', dollars)).content).toBe(
      `// head\n${dollars}\n// tail\n`,
    );
  });

  it('takes the old text literally', async () => {
    expect((await edit('a.c abc a*c', 'a.c', 'x')).content).toBe('x abc a*c');
  });

  it('does not search in what it has put in', async () => {
    expect((await edit('a a', 'a', 'aa', { replace_all: true })).content).toBe('aa aa');
  });

  it('keeps the mode', async () => {
    const { call, path } = await workspace({ 'run.sh': 'old' });
    await chmod(path('run.sh'), 0o755);
    await call(editFileTool, { path: 'run.sh', old_string: 'old', new_string: 'new' });
    expect((await stat(path('run.sh'))).mode & 0o777).toBe(0o755);
  });

  it('edits the file that a link leads to', async () => {
    const { call, path } = await workspace({ 'real.txt': 'old' });
    await symlink('real.txt', path('link'));
    await call(editFileTool, { path: 'link', old_string: 'old', new_string: 'new' });
    expect(await readFile(path('real.txt'), 'utf8')).toBe('new');
  });

  it('keeps every other byte: byte order mark, other encodings, mixed line ends', async () => {
    const before = Buffer.concat([
      Buffer.from('\uFEFFa\r\nb\n'),
      Buffer.of(0xe9, 0xff, 0x00),
      Buffer.from('old\r'),
    ]);
    const { bytes } = await edit(before, 'old', 'née');
    expect(bytes).toEqual(Buffer.concat([before.subarray(0, -4), Buffer.from('née\r')]));
  });

  it('changes nothing outside the text, whatever the file holds', () => {
    const part = fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(part, part, fc.string(), (before, after, to) => {
        const from = 'UNIQUE!';
        const content = Buffer.concat([before, Buffer.from(from), after]);
        const edited = applyEdit(content, { from, to, everywhere: false });
        const middle = edited.content.subarray(before.length, edited.content.length - after.length);
        expect(edited.content.subarray(0, before.length)).toEqual(before);
        expect(middle.toString()).toBe(Buffer.from(to).toString());
        expect(edited.content.subarray(edited.content.length - after.length)).toEqual(after);
      }),
    );
  });
});

describe('edit_file in a file with Windows line ends', () => {
  const windows = 'a = 1\r\nb = 2\r\nc = 3\r\n';

  it.each([
    ['both texts have plain ones', 'a = 1\nb = 2\n', 'a = 1\nb = 22\n', 'a = 1\r\nb = 22\r\nc = 3\r\n'],
    ['both texts have them', 'a = 1\r\nb = 2', 'a = 1\r\nb = 22', 'a = 1\r\nb = 22\r\nc = 3\r\n'],
    ['the new text brings the first ones', 'b = 2', 'b = 2\nb2 = 2', 'a = 1\r\nb = 2\r\nb2 = 2\r\nc = 3\r\n'],
    ['the new text has both kinds', 'b = 2\nc', 'x\r\ny\nc', 'a = 1\r\nx\r\ny\r\nc = 3\r\n'],
  ])('keeps to them where %s', async (_, from, to, expected) => {
    expect((await edit(windows, from, to)).content).toBe(expected);
  });

  it('leaves plain ones alone in a file that has both', async () => {
    expect((await edit('a\r\nb\nc\n', 'b\nc', 'b\nd')).content).toBe('a\r\nb\nd\n');
    expect((await edit('a\r\nb\nc\n', 'b', 'b\nd')).content).toBe('a\r\nb\nd\nc\n');
  });
});

describe('edit_file changes nothing and says what to do', () => {
  it.each([
    ['the text is not there', 'a\nb\n', 'z', /does not occur.*Read the file again/],
    ['the white space is another', 'if x:\n\treturn 1\n', 'if x:\n    return 1', /other white space/],
    ['only its first line is there', 'a\nfoo()\nbar()\n', 'foo()\nbaz()', /first line is there \(line 2\)/],
    ['it is there more than once', 'x\nx\ny x', 'x', /occurs 3 times \(at lines 1, 2, 3\).*replace_all/],
    ['it overlaps with itself', 'aaa', 'aa', /occurs 2 times/],
    ['it is there very often', 'x\n'.repeat(1_000), 'x', /occurs 1000 times \(at lines 1, 2, 3, 4, 5, …\)/],
    ['the old text is empty', 'a', '', /old_string is empty.*write_file/],
    ['both texts are the same', 'new', 'new', /the same/],
  ])('where %s', async (_, content, from, expected) => {
    const answer = await edit(content, from, 'new');
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(expected);
    expect(answer.content).toBe(content);
  });

  it.each([
    ['no-such.txt', /There is no no-such\.txt/],
    ['.', /is a folder/],
    ['../x', /outside the workspace/],
  ])('where the path is %s', async (path, expected) => {
    const { call } = await workspace();
    const { text, isError } = await call(editFileTool, { path, old_string: 'a', new_string: 'b' });
    expect(isError).toBe(true);
    expect(text).toMatch(expected);
  });

  it('where the file is very large', async () => {
    const { call, path } = await workspace();
    await writeFile(path('a.log'), Buffer.alloc(10_000_001, 'x'));
    const { text, isError } = await call(editFileTool, { path: 'a.log', old_string: 'a', new_string: 'b' });
    expect(isError).toBe(true);
    expect(text).toMatch(/larger than 10 MB/);
  });
});

describe('edit_file with replace_all', () => {
  it('replaces every occurrence and says how many there were', async () => {
    const answer = await edit('a\nx x\nx', 'x', 'y', { replace_all: true });
    expect(answer.content).toBe('a\ny y\ny');
    expect(answer.text).toBe('Edited a.txt: 3 places, the first at line 2.');
  });

  it('still wants the text to be there', async () => {
    expect((await edit('a', 'x', 'y', { replace_all: true })).isError).toBe(true);
  });
});
