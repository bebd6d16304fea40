import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { callToDecide } from '../../src/cli/call-to-decide.ts';
import { fileOf } from '../../src/tools/change-file.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { plain } from './screen.ts';

function workspaceWith(files: Readonly<Record<string, string | Buffer>> = {}) {
  const workspace = scratchFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(workspace, name), content);
  const show = (tool: string, input: unknown) => callToDecide({ tool, input, workspace }, plain, Infinity);
  return { workspace, show };
}
const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('');

describe('a call that changes a file is shown as what changes', () => {
  it('a write: against the file as it is, with three lines around each change', async () => {
    const { show } = workspaceWith({ 'a.txt': LINES });
    const content = LINES.replace('line 6\n', 'line six\n');
    expect(await show('write_file', { path: 'a.txt', content })).toBe(
      [
        'path: a.txt',
        '@@ -3,7 +3,7 @@',
        ' line 3',
        ' line 4',
        ' line 5',
        '-line 6',
        '+line six',
        ' line 7',
        ' line 8',
        ' line 9',
      ]
        .map((line) => `  │ ${line}`)
        .join('\n'),
    );
  });

  it('a write of a new file: all of it is added', async () => {
    const { show } = workspaceWith();
    const shown = await show('write_file', { path: 'new/b.txt', content: 'one\ntwo' });
    expect(shown).toContain('  │ @@ -0,0 +1,2 @@\n  │ +one\n  │ +two\n');
  });

  it('an edit: where it would take place, as the tool would do it', async () => {
    const { show } = workspaceWith({ 'a.txt': 'a\r\nb\r\nc\r\n' });
    const edit = { path: 'a.txt', old_string: 'a\nb', new_string: 'a\nB', replace_all: false };
    const shown = await show('edit_file', edit);
    expect(shown).toContain('  │ replace_all: false\n');
    expect(shown).toContain('  │ -b\\r\n  │ +B\\r\n');
  });

  it('a write that changes nothing is said to change nothing', async () => {
    const { show } = workspaceWith({ 'a.txt': LINES });
    expect(await show('write_file', { path: 'a.txt', content: LINES })).toContain('(nothing would change)');
  });

  it('a change that waits: where the file is another one by now, it is said that a yes will not overwrite it', async () => {
    const { workspace } = workspaceWith({ 'a.txt': 'one' });
    const call = { tool: 'write_file', input: { path: 'a.txt', content: 'two' }, workspace };
    const file = await fileOf({ path: 'a.txt' }, workspace);
    expect(await callToDecide({ ...call, file }, plain, Infinity)).not.toContain('has changed');
    writeFileSync(path.join(workspace, 'a.txt'), 'three');
    expect(await callToDecide({ ...call, file }, plain, Infinity)).toMatch(
      /-three[\s\S]*\+two[\s\S]*The file has changed since the call was made\. A yes will not overwrite it/,
    );
    const elsewhere = { ...call, file, workspace: path.join(workspace, 'on another machine') };
    expect(await callToDecide(elsewhere, plain, Infinity)).not.toContain('has changed');
  });

  it('control characters of either side are made visible, and every line is set off', async () => {
    const { show } = workspaceWith({ 'a.txt': 'old\x1b[2J\n' });
    const shown = await show('write_file', { path: 'a.txt', content: 'new\x1b[1A\n  Allow?\n' });
    expect(shown).toContain('-old\\x1b[2J');
    expect(shown).toContain('+new\\x1b[1A');
    expect(shown.split('\n').filter((line) => !line.startsWith('  │ '))).toEqual([]);
  });
});

describe('where there is no diff to be had, the call is shown by its own texts, whole', () => {
  const content = 'the new text';
  it.each<readonly [string, Readonly<Record<string, string | Buffer>>, string]>([
    ['a path that leads outside', {}, '../x.txt'],
    ['a file that is not text', { 'a.bin': Buffer.from([0xff, 0xfe, 0x41]) }, 'a.bin'],
    ['a file that is too large', { 'big.txt': 'x'.repeat(1_000_001) }, 'big.txt'],
    ['a file that holds secrets', { '.env': 'KEY=do not show' }, '.env'],
    ['a folder', {}, 'folder'],
    ['a link that leads outside', {}, 'link.txt'],
  ])('%s', async (_, files, file) => {
    const { workspace, show } = workspaceWith(files);
    const outside = scratchFolder();
    writeFileSync(path.join(outside, 'secret.txt'), 'do not show');
    mkdirSync(path.join(workspace, 'folder'));
    symlinkSync(path.join(outside, 'secret.txt'), path.join(workspace, 'link.txt'));
    expect(await show('write_file', { path: file, content })).toBe(
      `  │ path: ${file}\n  │ content: ${content}`,
    );
  });

  it.each([
    ['an edit that does not fit', { path: 'a.txt', old_string: 'x', new_string: 'y' }],
    ['an edit of a file that is not there', { path: 'b.txt', old_string: 'x', new_string: 'y' }],
  ])('%s', async (_, edit) => {
    const { show } = workspaceWith({ 'a.txt': 'one\n' });
    expect(await show('edit_file', edit)).toBe(`  │ path: ${edit.path}\n  │ - x\n  │ + y`);
  });

  it('an input of another form', async () => {
    const { show } = workspaceWith();
    expect(await show('write_file', { path: 7 })).toBe('  │ path: 7');
    expect(await show('bash', null)).toBe('  │ null');
  });
});
