import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableLine, printableSentence } from '../../src/cli/printable.ts';

describe('text on its way to a terminal', () => {
  it.each([
    ['an escape sequence', '\x1b[2Jgone', '\\x1b[2Jgone'],
    ['a one-byte control sequence', '\x9b31m', '\\x9b31m'],
    ['a carriage return, which would overwrite the line', 'rm -rf /\recho hi', 'rm -rf /\\recho hi'],
    ['a backspace', 'a\bb', 'a\\x08b'],
    ['a bidirectional override', 'a\u202egpj.exe', 'a\\u202egpj.exe'],
    ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
    ['a zero-width space', 'r\u200bm', 'r\\u200bm'],
    ['a joiner between ASCII letters', 'r\u200dm', 'r\\u200dm'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a tag character, invisible text', 'a\u{e0041}', 'a\\u{e0041}'],
    ['half a surrogate pair', 'a\ud83d', 'a\\ud83d'],
  ])('%s becomes visible', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it.each(['naïve café', '中文 العربية', '👨‍👩‍👧 ❤️ 🇪🇺', 'می‌خواهم', 'a\n\tb'])('%j stays as it is', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('has neither line feeds nor tabs where one line is wanted', () => {
    expect(printableLine('a\n\tb')).toBe('a\\n\\tb');
  });

  it('ends with one full stop where it is told as a sentence', () => {
    expect(['no\nlock', 'no lock.'].map(printableSentence)).toEqual(['no\\nlock.', 'no lock.']);
  });

  it('never holds a control character but line feed and tab, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
