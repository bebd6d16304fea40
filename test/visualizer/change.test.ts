import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOf } from '../../visualizer/transcript/change.ts';

const edit = (old_string: string, new_string: string) =>
  changeOf('edit_file', { path: 'a', old_string, new_string })?.lines ?? [];
const LINES = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
const side = (lines: readonly string[], marks: string) =>
  lines.filter((line) => marks.includes(line[0] ?? '')).map((line) => line.slice(1));

describe('a change of a file', () => {
  it('is the whole of a file that is written, and the lines of an edit that differ', () => {
    expect(changeOf('write_file', { path: 'a', content: 'x\ny\n' })).toEqual({
      others: { path: 'a' },
      lines: ['+x', '+y'],
    });
    expect(edit('one\ntwo\nthree', 'one\n2\nthree\nfour')).toEqual([' one', '-two', '+2', ' three', '+four']);
    expect(edit('gone\n', '')).toEqual(['-gone']);
  });

  it('gives back both texts, whatever they are, and takes no more lines out than it must', () => {
    fc.assert(
      fc.property(LINES, LINES, (from, to) => {
        const [before, after] = [from, to].map((lines) => lines.map((line) => `${line}.`)) as [
          string[],
          string[],
        ];
        const lines = edit(before.join('\n'), after.join('\n'));
        expect(side(lines, ' -')).toEqual(before);
        expect(side(lines, ' +')).toEqual(after);
      }),
    );
    expect(edit('a\nb\nc\nd', 'b\nc\nd\ne').filter((line) => line[0] !== ' ')).toEqual(['-a', '+e']);
  });

  it('is found within a moment in texts of any length', () => {
    const text = (letter: string) => Array.from({ length: 4_000 }, (_, at) => `${letter}${at}`).join('\n');
    const began = performance.now();
    expect(edit(text('a'), text('b'))).toHaveLength(8_000);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it.each([
    ['another tool', 'bash', { command: 'ls' }],
    ['a call without its arguments', 'edit_file', { path: 'a' }],
    ['arguments that are no texts', 'write_file', { path: 'a', content: 7 }],
    ['no arguments at all', 'write_file', null],
  ])('is not made of %s', (_, tool, input) => {
    expect(changeOf(tool, input)).toBeNull();
  });
});
