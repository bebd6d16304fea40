import { describe, expect, it } from 'vitest';
import { closeNames } from '../../src/checks/close-names.ts';

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
