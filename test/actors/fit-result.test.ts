import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitResult } from '../../src/actors/fit-result.ts';

const nowhere = () => undefined;

describe('a result that is too long', () => {
  it('keeps its beginning and its end, says its true size, and where the whole is', () => {
    const kept: string[] = [];
    const text = `${'head '.repeat(200)}${'middle '.repeat(500)}${'tail '.repeat(200)}`;
    const fitted = fitResult(text, 1_000, (whole) => {
      kept.push(whole);
      return '.pawl/results/abc.txt';
    });
    expect(kept).toEqual([text]);
    expect(fitted).toMatch(
      /^head head .*\n\[… 5500 bytes in all.*\.pawl\/results\/abc\.txt: read it with read_file\. …\]\n.*tail $/s,
    );
  });

  it('says so where the whole could not be kept', () => {
    expect(fitResult('x'.repeat(900), 500, nowhere)).toContain('The rest was not kept');
  });

  it('is as it was where it fits', () => {
    const blocks = [
      { type: 'text', text: 'short' },
      { type: 'image', source: {} },
    ];
    expect(fitResult('short', 5, nowhere)).toBe('short');
    expect(fitResult(blocks, 5_005, nowhere)).toEqual(blocks);
  });

  it('of several blocks keeps those that are no text, behind what is left of the texts', () => {
    const image = { type: 'image', source: { data: '…' } };
    const fitted = fitResult(
      [{ type: 'text', text: 'a'.repeat(600) }, image, { type: 'text', text: 'b'.repeat(600) }],
      5_600,
      nowhere,
    );
    expect(fitted).toMatchObject([
      { type: 'text', text: expect.stringMatching(/^a+\n.*1201 bytes.*\nb+$/) },
      image,
    ]);
  });

  it('goes without a picture that does not fit, and says so', () => {
    const image = { type: 'image', source: { data: '…' } };
    const words = { type: 'text', text: 'a.png:' };
    expect(fitResult([words, image, image], 6_000, nowhere)).toEqual([
      words,
      image,
      { type: 'text', text: expect.stringContaining('picture was left out') },
    ]);
  });

  it('never exceeds its room by more than the line in the middle, and has no half characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 3_000 }),
        fc.integer({ min: 0, max: 2_000 }),
        (text, room) => {
          const fitted = fitResult(text, room, nowhere) as string;
          expect(Buffer.byteLength(fitted)).toBeLessThanOrEqual(Math.max(room, 200));
          if (!text.includes('\ufffd')) expect(fitted).not.toContain('\ufffd');
        },
      ),
    );
  });
});
