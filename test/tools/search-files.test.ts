import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { searchFilesTool } from '../../src/tools/search-files.ts';
import { fixedSandbox, workspace } from './support.ts';

const tool = searchFilesTool();

describe('search_files', () => {
  it('gives each matching line with its path and number', async () => {
    const { call } = await workspace({
      'a.txt': 'one\ntwo\n',
      'b/c.txt': 'three\ntwo two\n',
      'd.txt': 'TWO',
    });
    const { text, isError } = await call(tool, { pattern: 'two' });
    expect(isError).toBe(false);
    expect(text.split('\n').sort()).toEqual(['a.txt:2:two', 'b/c.txt:2:two two']);
  });

  it('takes extended regular expressions', async () => {
    const { call } = await workspace({ 'a.txt': 'ab\naab\nb\nab12\n' });
    expect((await call(tool, { pattern: '^(a{2}b|ab[0-9]+)$' })).text).toBe('a.txt:2:aab\na.txt:4:ab12');
  });

  it('answers normally where nothing matches', async () => {
    const { call } = await workspace({ 'a.txt': 'one' });
    expect(await call(tool, { pattern: 'two' })).toEqual({ text: 'No matches.', isError: false });
  });

  it('searches a single file or a folder, and gives the path from the workspace on', async () => {
    const { call } = await workspace({ 'x/a.txt': 'hit', 'x/y/b.txt': 'hit', 'c.txt': 'hit' });
    expect((await call(tool, { pattern: 'hit', path: 'x/a.txt' })).text).toBe('x/a.txt:1:hit');
    expect((await call(tool, { pattern: 'hit', path: 'x/y' })).text).toBe('x/y/b.txt:1:hit');
  });

  it('searches only the files whose name matches include', async () => {
    const { call } = await workspace({ 'x/a.ts': 'hit', 'a.js': 'hit' });
    expect((await call(tool, { pattern: 'hit', include: '*.ts' })).text).toBe('x/a.ts:1:hit');
  });

  it('leaves out .git, node_modules and binary files, unless the path asks for the folder', async () => {
    const { call } = await workspace({
      '.git/config': 'hit',
      'node_modules/m/a.js': 'hit',
      'a.bin': '\0hit',
      'b.txt': 'hit',
    });
    expect((await call(tool, { pattern: 'hit' })).text).toBe('b.txt:1:hit');
    expect((await call(tool, { pattern: 'hit', path: 'node_modules' })).text).toBe(
      'node_modules/m/a.js:1:hit',
    );
    expect((await call(tool, { pattern: 'hit', path: '.git' })).text).toBe('.git/config:1:hit');
  });

  it('does not follow links out of the workspace', async () => {
    const { call, path, outside } = await workspace({ 'a.txt': 'hit' });
    await mkdir(`${outside}/OUTSIDE`);
    await symlink(outside, path('out'));
    expect((await call(tool, { pattern: 'hit' })).text).toBe('a.txt:1:hit');
    expect((await call(tool, { pattern: 'hit', path: 'out' })).text).toMatch(/outside the workspace/);
  });

  it('takes a pattern and a name that look like options for what they are', async () => {
    const { call } = await workspace({ '-r': '--help -e\n', '-e/b.txt': '--help\n' });
    expect((await call(tool, { pattern: '--help' })).text.split('\n').sort()).toEqual([
      '-e/b.txt:1:--help',
      '-r:1:--help -e',
    ]);
    expect((await call(tool, { pattern: '-e', path: '-r' })).text).toBe('-r:1:--help -e');
  });

  it('takes no part of the pattern for a command', async () => {
    const { call } = await workspace({ 'a.txt': '$(touch pwned)' });
    const { text } = await call(tool, { pattern: '\\$\\(touch pwned\\)' });
    expect(text).toBe('a.txt:1:$(touch pwned)');
  });

  it('cuts long lines, and a very long one does not hide the others', async () => {
    const { call } = await workspace({ 'a.txt': `hit ${'x'.repeat(900_000)}\nshort hit\n` });
    const { text } = await call(tool, { pattern: 'hit' });
    expect(text).toMatch(/^a\.txt:1:hit \[… 900,001 more characters in this line\]\na\.txt:2:short hit$/);
  });

  it('shows no part of a secret on which a long line or a long remark is cut', async () => {
    const secret = 'sk-ant-api03-AbCdEfGhIjKl';
    const long = (most: number) => `${'x '.repeat(most / 2 - 10)}${secret} ${'y '.repeat(most)}`;
    const { call } = await workspace({ 'a.txt': `hit ${long(500)}\n`, 'b.txt': `hit${'z'.repeat(2_000)}\n` });
    const { text } = await call(tool, { pattern: 'hit' });
    expect(text).not.toMatch(/sk|y/);
    expect(text).toMatch(/^a\.txt:1:hit (x )+\[… 1,0\d\d more characters in this line\]$/m);
    expect(text).toMatch(/^b\.txt:1: \[… 2,003 more characters in this line\]$/m);
    const { sandbox } = fixedSandbox({ kind: 'exited', exitCode: 2 }, './a.txt:1:hit\n', long(1_000));
    expect((await call(tool, { pattern: 'hit' }, { sandbox })).text).toMatch(/\[grep says: (x )+x\]$/);
  });

  it.each([50_000, 400_000])(
    'returns the first of %i matches and says that there are more',
    async (lines) => {
      const { call } = await workspace({ 'a.txt': 'hit\n'.repeat(lines) });
      const { text } = await call(tool, { pattern: 'hit' });
      expect(text.length).toBeLessThan(50_300);
      expect(text).toMatch(/^a\.txt:1:hit\n/);
      expect(text).toMatch(/\n\[There are more matches than the [\d,]+ shown\. Narrow/);
    },
  );

  it.each([
    ['\\d+', /do not know \\d/],
    ['a\\nb', /do not know \\n/],
    ['(?:a|b)', /do not know \(\?/],
    ['[\\w.-]+', /do not know \[\\w\.-\]/],
    ['a\nb', /line end/],
    ['a\0b', /NUL/],
    ['a(b', /search failed: .*[Uu]nmatched/],
    ['a[b', /search failed: .*[Uu]nmatched/],
  ])('refuses a pattern that means something else than it seems: %j', async (pattern, expected) => {
    const { call } = await workspace({ 'a.txt': 'd n w\n' });
    const { text, isError } = await call(tool, { pattern });
    expect(isError).toBe(true);
    expect(text).toMatch(expected);
  });

  it.each(['\\\\d', '\\w+\\b', '[(?]', '[]x]', '[[:alnum:]_]', '\\(\\?', '\\.', 'a{1,2}', '\\<a\\>'])(
    'accepts %s',
    async (pattern) => {
      const { call } = await workspace({ 'a.txt': 'nothing' });
      expect((await call(tool, { pattern })).isError).toBe(false);
    },
  );

  it.each(['src/*.ts', '*.{ts,tsx}'])('refuses an include that could match nothing: %s', async (include) => {
    const { call } = await workspace({ 'a.ts': 'hit' });
    const { text, isError } = await call(tool, { pattern: 'hit', include });
    expect(isError).toBe(true);
    expect(text).toMatch(/include is compared with the name of a file/);
  });

  it.each([
    ['no-such', /There is no no-such/],
    ['../x', /outside the workspace/],
  ])('refuses the path %s', async (path, expected) => {
    const { call } = await workspace();
    const { text, isError } = await call(tool, { pattern: 'x', path });
    expect(isError).toBe(true);
    expect(text).toMatch(expected);
  });

  it('gives what it found until the deadline', async () => {
    const { call } = await workspace();
    const { sandbox } = fixedSandbox({ kind: 'timed out' }, './a.txt:1:hit\n');
    const { text, isError } = await call(tool, { pattern: 'hit' }, { sandbox });
    expect(isError).toBe(true);
    expect(text).toMatch(/^timed out after 30 s; .*\na\.txt:1:hit\n/);
  });

  it('gives what it found although some files could not be read', async () => {
    const { call } = await workspace();
    const ended = { kind: 'exited', exitCode: 2 } as const;
    const { sandbox } = fixedSandbox(ended, './a.txt:1:hit\n', 'grep: b.txt: Permission denied\n');
    expect(await call(tool, { pattern: 'hit' }, { sandbox })).toEqual({
      text: 'a.txt:1:hit\n[grep says: grep: b.txt: Permission denied]',
      isError: false,
    });
  });

  it('says so where there is no grep, or the run is cancelled', async () => {
    const { call } = await workspace({ 'a.txt': 'a' });
    const { sandbox } = fixedSandbox({ kind: 'not started', reason: 'there is no program grep' });
    const missing = await call(tool, { pattern: 'a' }, { sandbox });
    expect(missing).toMatchObject({
      isError: true,
      text: expect.stringMatching(/could not be started: .*grep/),
    });
    const cancelled = await call(tool, { pattern: 'a' }, { signal: AbortSignal.abort() });
    expect(cancelled).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^cancelled by the person/),
    });
  });
});
