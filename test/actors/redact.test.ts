import { describe, expect, it } from 'vitest';
import { redactor } from '../../src/actors/redact.ts';

describe('a text that is redacted', () => {
  it('has no secret and nothing that fits a pattern, wherever and however often', () => {
    const redact = redactor(['s3cret', 'k$y'], [/\bh\w+2\b/, /PIN \d+/i]);
    expect(redact('s3cret k$y s3crets hunter2 pin 1234 PIN 5')).toBe(
      '[redacted] [redacted] [redacted]s [redacted] [redacted] [redacted]',
    );
    expect(redact('nothing here')).toBe('nothing here');
  });

  it('keeps what looks like a replacement', () => {
    expect(redactor(['x'], [/y/])('$& $1 x y')).toBe('$& $1 [redacted] [redacted]');
  });

  it('is left out whole where its patterns run wild, which ends in time', () => {
    const redact = redactor([], [/(a+)+$/]);
    const started = performance.now();
    expect(redact(`${'a'.repeat(60)}!`)).toMatch(
      /^\[redacted\]: the patterns took longer than 1 s on this text of 61/,
    );
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(redact('bbb')).toBe('bbb');
  });
});
