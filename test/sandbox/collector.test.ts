import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headAndTail } from '../../src/sandbox/collector.ts';

const collect = (maxCharacters: number, ...chunks: readonly Uint8Array[]) => {
  const collector = headAndTail(maxCharacters);
  for (const chunk of chunks) collector.write(chunk);
  return collector.finish();
};
const bytes = (text: string) => new TextEncoder().encode(text);

describe('headAndTail', () => {
  it('keeps output that fits as it is', () => {
    expect(collect(10, bytes('hello'), bytes('world'))).toEqual({
      text: 'helloworld',
      omitted: 0,
      bytes: 10,
    });
  });

  it('keeps nothing of nothing', () => {
    expect(collect(10)).toEqual({ text: '', omitted: 0, bytes: 0 });
  });

  it('keeps the two ends of longer output and says what is missing between them', () => {
    const { text, omitted, bytes: size } = collect(6, bytes('ab '), bytes('-'.repeat(20)), bytes('\nyz'));
    expect(text).toBe('ab \n[20 characters left out here; the whole output is 26 bytes]\n\nyz');
    expect({ omitted, size }).toEqual({ omitted: 20, size: 26 });
  });

  it('leaves nothing of a secret that lies across a cut, and counts what went with it', () => {
    const secret = 'sk-ant-api03-AbCdEfGhIjKl';
    const whole = `one ${secret} ${'two '.repeat(100)}${secret} three`;
    for (let max = 1; max < whole.length; max += 1) {
      const { text, omitted } = collect(max, bytes(whole));
      expect(text.replaceAll(secret, '')).not.toMatch(/sk-|AbC|jKl/);
      expect(text.replace(/\n\[.*?\]\n/, '').length).toBe(whole.length - omitted);
    }
  });

  it('joins a character whose bytes arrive apart', () => {
    expect(collect(10, Uint8Array.of(0x61, 0xe2), Uint8Array.of(0x80), Uint8Array.of(0x94, 0x7a)).text).toBe(
      'a—z',
    );
  });

  it('marks only bytes that are truly no UTF-8', () => {
    expect(collect(10, Uint8Array.of(0x61, 0xff), Uint8Array.of(0xc3, 0xa9)).text).toBe('a\uFFFDé');
    expect(collect(10, Uint8Array.of(0x61, 0xe2, 0x80)).text).toBe('a\uFFFD');
  });

  it('keeps a byte order mark', () => {
    expect(collect(10, Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)).text).toBe('\uFEFFa');
  });

  it('never cuts a character of two units in half', () => {
    for (const max of [20_000, 20_001, 20_002, 20_003]) {
      const { text, omitted } = collect(max, bytes('😀'.repeat(20_000)));
      expect(text.replace(/\n.*\n/, '|')).toMatch(/^(😀)+\|(😀)+$/u);
      expect(text.match(/😀/gu)?.length).toBe(20_000 - omitted / 2);
    }
  });

  it('gives the same whatever the pieces are, keeps within its limit and loses count of nothing', () => {
    const pieces = fc.array(
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (chunks, max, step) => {
          const whole = Buffer.concat(chunks);
          const full = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole);
          const split = Array.from({ length: Math.ceil(whole.length / step) }, (_, at) =>
            whole.subarray(at * step, (at + 1) * step),
          );
          const result = collect(max, ...split);
          expect(result).toEqual(collect(max, ...chunks));
          expect(result.bytes).toBe(whole.length);
          expect(result.text.isWellFormed()).toBe(full.isWellFormed());
          const kept = full.length - result.omitted;
          if (full.length <= max) expect(result.text).toBe(full);
          else expect(kept).toBeLessThanOrEqual(max);
        },
      ),
    );
  });

  it('stays linear and small for a million single bytes', () => {
    const collector = headAndTail(50_000);
    for (let at = 0; at < 1_000_000; at += 1) collector.write(Uint8Array.of(0x78));
    const { text, omitted } = collector.finish();
    expect(omitted).toBe(958_192);
    expect(text.length).toBeLessThan(50_100);
  });
});
