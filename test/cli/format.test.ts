import { describe, expect, it } from 'vitest';
import {
  counted,
  duration,
  glimpse,
  hung,
  jsonLine,
  shortened,
  shortName,
  size,
  wrapped,
} from '../../src/cli/format.ts';

describe('figures for people', () => {
  it('count in words, with one of a kind in the singular', () => {
    expect([counted(1, 'turn'), counted(0, 'call'), counted(12_345, 'token')]).toEqual([
      '1 turn',
      '0 calls',
      '12,345 tokens',
    ]);
  });

  it('give sizes and times in the unit that fits', () => {
    expect([12, 1_234, 2_000_000, 3_000_000_000].map(size)).toEqual(['12 B', '1.2 kB', '2.0 MB', '3.0 GB']);
    expect([duration(40), duration(1_234), duration(125_000)]).toEqual(['0.0 s', '1.2 s', '2 min 5 s']);
  });
});

describe('a shortened text', () => {
  it('says with an ellipsis that something is missing', () => {
    expect(shortened('abcdef', 4)).toBe('abc…');
    expect(shortened('abcd', 4)).toBe('abcd');
  });

  it('never cuts a character in two', () => {
    expect(shortened('😀😀😀😀', 3)).toBe('😀😀…');
    expect(shortened('😀😀😀', 3)).toBe('😀😀😀');
  });
});

describe('words on a line', () => {
  it('are broken before the one that would not fit, never inside one', () => {
    expect(wrapped(['aaa', 'bbb', 'ccc', 'd'], 7)).toBe('aaa bbb\n    ccc\n    d');
    expect(wrapped(['see', '/a long/path', 'end'], 8)).toBe('see\n    /a long/path\n    end');
    expect(wrapped(['longer than the line', 'x'], 5)).toBe('longer than the line\n    x');
  });

  it('keep the blanks in front, and stay together where nothing breaks lines', () => {
    expect(wrapped('  a b'.split(' '), 80)).toBe('  a b');
    expect(wrapped(Array(500).fill('word'), Infinity)).not.toContain('\n');
  });

  it('break by the columns that they take, and not by their letters', () => {
    expect(wrapped(['你好', '你好', 'a'], 9)).toBe('你好 你好\n    a');
  });

  it('behind a head go on below the first of them', () => {
    expect(hung(' 30  suspended  ', 'Calls wait for an approval.', 30)).toBe(
      ' 30  suspended  Calls wait for\n                an approval.',
    );
    expect(hung('\x1b[32m✓\x1b[39m a  ', 'bb cc', 8, 5)).toBe('\x1b[32m✓\x1b[39m a  bb\n     cc');
  });
});

describe('a name that the model made up', () => {
  it('is shown as far as the service lets one go, without control characters', () => {
    expect(shortName('read_file')).toBe('read_file');
    expect(shortName('x'.repeat(3_000_000))).toBe(`${'x'.repeat(63)}…`);
    expect(shortName('a\x1b\n')).toBe('a\\x1b\\n');
  });
});

describe('a value on one line', () => {
  it('is printable JSON', () => {
    expect(jsonLine({ command: 'a\n\x1b[2J\u202e' })).toBe('{"command":"a\\n\\u001b[2J\\u202e"}');
    expect(jsonLine(undefined)).toBe('nothing');
  });
});

describe('a glimpse of a result', () => {
  it('has the size of the whole and the first lines that say something', () => {
    expect(glimpse('\nexit_code=0\n  é\n\nb\nc\n')).toEqual({ bytes: 23, beginning: 'exit_code=0 ⏎ é ⏎ b' });
  });

  it('names blocks that are not text', () => {
    const content = [
      { type: 'image', source: {} },
      { type: 'text', text: 'below it' },
    ];
    expect(glimpse(content).beginning).toBe('[image] ⏎ below it');
  });

  it('says that there is no output', () => {
    expect(glimpse('  \n').beginning).toBe('(no output)');
  });
});
