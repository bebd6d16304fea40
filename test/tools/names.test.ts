import { describe, expect, it } from 'vitest';
import { closeNames, escapeHidden, spell } from '../../src/tools/names.ts';

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

describe('closeNames', () => {
  const names = [
    'README.md',
    'readme.txt',
    'package.json',
    'tsconfig.json',
    'src',
    'caf\u00e9.md',
    'cafe\u0301.md',
  ];

  it.each([
    ['readme.md', ['README.md', 'readme.txt']],
    ['packages.json', ['package.json']],
    ['cafe.md', ['caf\u00e9.md', 'cafe\u0301.md']],
    ['scr', []],
    ['nothing-like-it', []],
    ['', []],
  ])('for %j are %j', (wanted, expected) => {
    expect(closeNames(wanted, names)).toEqual(expected);
  });

  it('are at most five, the closest first', () => {
    const many = Array.from({ length: 20 }, (_, at) => `file-${at}.txt`);
    expect(closeNames('file-7.txt', many).length).toBe(5);
    expect(closeNames('file-7.txt', many)[0]).toBe('file-7.txt');
  });
});
