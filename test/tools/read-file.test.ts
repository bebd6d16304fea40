import { describe, expect, it } from 'vitest';
import { readFileTool } from '../../src/tools/read-file.ts';
import { workspace } from './support.ts';

const numbered = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join('');

describe('read_file', () => {
  it.each([
    ['plain text', 'hello\nworld\n'],
    ['no line end at the end', 'hello'],
    ['Windows line ends and a byte order mark', '\uFEFFa\r\nb\r\n'],
    ['letters of all kinds', 'café 你好 😀\n'],
  ])('returns the text as it is: %s', async (_, content) => {
    const { call } = await workspace({ 'a.txt': content });
    expect(await call(readFileTool, { path: 'a.txt' })).toEqual({ text: content, isError: false });
  });

  it('says of an empty file that it is empty', async () => {
    const { call } = await workspace({ 'a.txt': '' });
    expect((await call(readFileTool, { path: 'a.txt' })).text).toBe('(empty file)');
  });

  it('reads the lines asked for and says how to go on', async () => {
    const { call } = await workspace({ 'a.txt': numbered(10) });
    const { text } = await call(readFileTool, { path: 'a.txt', offset: 3, limit: 2 });
    expect(text).toBe('line 3\nline 4\n[Lines 3 to 4. The file goes on: read it with offset 5.]');
    expect((await call(readFileTool, { path: 'a.txt', offset: 9, limit: 2 })).text).toBe('line 9\nline 10\n');
  });

  it('cuts a long file at a line, and the parts make the whole', async () => {
    const content = numbered(20_000);
    const { call } = await workspace({ 'a.txt': content });
    let whole = '';
    let calls = 0;
    for (let offset: number | undefined = 1; offset !== undefined; calls += 1) {
      const { text } = await call(readFileTool, { path: 'a.txt', offset });
      expect(text.length).toBeLessThan(50_200);
      const note = /\[Lines \d+ to \d+\. The file goes on: read it with offset (\d+)\.\]$/.exec(text);
      whole += note === null ? text : text.slice(0, note.index);
      offset = note === null ? undefined : Number(note[1]);
    }
    expect(whole === content).toBe(true);
    expect(calls).toBe(5);
  });

  it.each([100_000, 7_000])(
    'gives no more bytes than the model gets of a result, and its parts make the whole: %i',
    async (maxResultBytes) => {
      const content = Array.from({ length: 900 }, (_, at) => `第${at + 1}行：${'漢字'.repeat(15)}\n`).join(
        '',
      );
      const { call } = await workspace({ 'a.txt': content });
      let whole = '';
      for (let offset: number | undefined = 1; offset !== undefined; ) {
        const { text } = await call(readFileTool, { path: 'a.txt', offset }, { maxResultBytes });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxResultBytes);
        const note = /\[Lines \d+ to \d+\. The file goes on: read it with offset (\d+)\.\]$/.exec(text);
        whole += note === null ? text : text.slice(0, note.index);
        offset = note === null ? undefined : Number(note[1]);
      }
      expect(whole === content).toBe(true);
    },
  );

  it.each([100_000, 301, 0])(
    'shows of a line with more bytes than that its beginning, in whole characters: %i',
    async (maxResultBytes) => {
      const { call } = await workspace({ 'a.txt': `${'漢😀'.repeat(30_000)}\nnext\n` });
      const { text } = await call(readFileTool, { path: 'a.txt' }, { maxResultBytes });
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain('\ufffd');
      expect(text).toMatch(/\[This is the beginning of line 1, .* has offset 2\.\]$/);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.max(maxResultBytes, 600));
    },
  );

  it('shows the beginning of a line that is too long, without cutting a character in half', async () => {
    const { call } = await workspace({ 'a.txt': `first\nx${'😀'.repeat(100_000)}\nlast\n` });
    const { text } = await call(readFileTool, { path: 'a.txt', offset: 2 });
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThan(50_300);
    expect(text).toMatch(/\n\[This is the beginning of line 2, .* has offset 3\.\]$/);
    expect((await call(readFileTool, { path: 'a.txt', offset: 3 })).text).toBe('last\n');
  });

  it('shows no part of a secret on which a line that is too long is cut', async () => {
    const secret = 'sk-ant-api03-AbCdEfGhIjKl';
    const { call } = await workspace({ 'a.txt': `${'x '.repeat(24_990)}${secret} ${'y '.repeat(30_000)}` });
    const { text } = await call(readFileTool, { path: 'a.txt' });
    expect(text).toMatch(/^(x )+\n\[This is the beginning of line 1, /);
    expect(text).not.toContain('sk-');
  });

  it.each([
    ['a\nb\n', 3, 2],
    ['a\nb', 3, 2],
    ['a\nb', 30, 2],
  ])('says how many lines there are, where the offset is behind them: %j', async (content, offset, lines) => {
    const { call } = await workspace({ 'a.txt': content });
    const { text, isError } = await call(readFileTool, { path: 'a.txt', offset });
    expect(isError).toBe(true);
    expect(text).toBe(
      `a.txt has ${lines} lines, so there is nothing at offset ${offset}. Use an offset from 1 to ${lines}.`,
    );
  });

  it.each([
    ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a)],
    ['Latin-1', Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a)],
    ['a character that is cut off', Uint8Array.of(0x61, 0xe2, 0x80)],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0x00)],
  ])('refuses what is no UTF-8: %s', async (_, content) => {
    const { call } = await workspace({ 'a.bin': content });
    const { text, isError } = await call(readFileTool, { path: 'a.bin' });
    expect(isError).toBe(true);
    expect(text).toMatch(/no UTF-8 text/);
  });

  it('does not read a file that is large beyond what it shows', async () => {
    const content = Buffer.alloc(30_000_000, 'text\n');
    content[20_000_000] = 0xff;
    const { call } = await workspace({ 'a.log': content });
    expect((await call(readFileTool, { path: 'a.log', limit: 1 })).text).toMatch(/^text\n\[Lines 1 to 1\./);
    expect((await call(readFileTool, { path: 'a.log', offset: 3_900_000, limit: 1 })).text).toMatch(
      /^text\n/,
    );
    expect((await call(readFileTool, { path: 'a.log', offset: 5_000_000, limit: 1 })).isError).toBe(true);
  });

  it('stops when the run is cancelled', async () => {
    const { call } = await workspace({ 'a.txt': 'a' });
    const signal = AbortSignal.abort();
    await expect(call(readFileTool, { path: 'a.txt' }, { signal })).rejects.toThrow(/abort/);
  });

  it.each([{ offset: 0 }, { offset: -1 }, { offset: 1.5 }, { limit: 0 }, { limit: '5' }, { path: '' }])(
    'refuses an odd input: %j',
    async (input) => {
      const { call } = await workspace({ 'a.txt': 'a' });
      expect((await call(readFileTool, { path: 'a.txt', ...input })).isError).toBe(true);
    },
  );
});
