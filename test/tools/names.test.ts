import { describe, expect, it } from 'vitest';
import { escapeHidden, spell } from '../../src/tools/names.ts';

describe('spell', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['caf\u00e9', 'café (caf\\u00e9)'],
    ['a\nb', 'a\\u000ab'],
    ['😀', '😀 (\\ud83d\\ude00)'],
    ['x'.repeat(400), `${'x'.repeat(300)}...`],
  ])('shows %j as %j', (name, shown) => {
    expect(spell(name)).toBe(shown);
  });
});

describe('escapeHidden', () => {
  it('shows line ends, terminal codes, text direction and half characters, and leaves letters alone', () => {
    expect(escapeHidden('a\r\u001b\u0085\u2028\u202e\u200b\ud800é你😀')).toBe(
      'a\\u000d\\u001b\\u0085\\u2028\\u202e\\u200b\\ud800é你😀',
    );
  });
});
