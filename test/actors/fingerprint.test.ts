import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/actors/fingerprint.ts';

describe('a fingerprint', () => {
  it('is short and always the same', () => {
    expect(fingerprint('look', { at: 1 })).toMatch(/^[0-9a-f]{12}$/);
    expect(fingerprint('look', { at: 1 })).toBe(fingerprint('look', { at: 1 }));
  });

  it('does not see the order of keys, at any depth', () => {
    expect(fingerprint({ a: 1, b: [{ c: 2, d: null }] })).toBe(fingerprint({ b: [{ d: null, c: 2 }], a: 1 }));
  });

  it.each([
    ['another value', ['look', { at: 1 }], ['look', { at: 2 }]],
    ['another type', [1], ['1']],
    ['another key', [{ a: 1 }], [{ b: 1 }]],
    ['another order in a list', [[1, 2]], [[2, 1]]],
    ['another division of the values', ['ab', 'c'], ['a', 'bc']],
    ['one value more', ['look'], ['look', null]],
    ['nothing instead of an empty object', [null], [{}]],
  ])('sees %s', (_, one, other) => {
    expect(fingerprint(...one)).not.toBe(fingerprint(...other));
  });
});
