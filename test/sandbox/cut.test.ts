import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beforeCut, behindCut } from '../../src/sandbox/cut.ts';

describe('a text that was cut', () => {
  it('loses the piece that touches the cut, up to the next white space', () => {
    expect(beforeCut('one two\nsk-ant')).toBe('one two\n');
    expect(behindCut('-api03\tone two')).toBe('\tone two');
  });

  it('loses nothing where white space touches the cut, and all where it has none', () => {
    expect([beforeCut('one '), behindCut(' one')]).toEqual(['one ', ' one']);
    expect([beforeCut('one'), behindCut('one'), beforeCut(''), behindCut('')]).toEqual(['', '', '', '']);
  });

  it('loses 4,096 characters at most', () => {
    const long = 'x'.repeat(10_000);
    expect([beforeCut(`a ${long}`), behindCut(`${long} a`)]).toEqual([
      `a ${'x'.repeat(5_904)}`,
      `${'x'.repeat(5_904)} a`,
    ]);
  });

  it('is left with no half of a character', () => {
    for (const odd of ['', 'x']) {
      const long = `${odd}${'😀'.repeat(5_000)}${odd}`;
      for (const part of [
        beforeCut(long),
        beforeCut(long.slice(0, -1)),
        behindCut(long),
        behindCut(long.slice(1)),
      ])
        expect(part.isWellFormed()).toBe(true);
    }
  });

  it('has no part of a secret that lay across the cut, wherever it was cut', () => {
    const blanks = fc.stringMatching(/^[ \n\tx]{0,20}$/);
    fc.assert(
      fc.property(
        blanks,
        blanks,
        fc.integer({ min: 1, max: 4_096 }),
        fc.nat(),
        (front, back, length, place) => {
          const secret = 'S'.repeat(length);
          const text = front + secret + back;
          const cut = front.length + (place % (length + 1));
          expect(front.startsWith(beforeCut(text.slice(0, cut))) || cut === front.length + length).toBe(true);
          expect(back.endsWith(behindCut(text.slice(cut))) || cut === front.length).toBe(true);
        },
      ),
    );
  });
});
