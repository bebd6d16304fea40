import { describe, expect, it } from 'vitest';
import { obstacleToJson } from '../../src/model/plain-json.ts';

const nested = (levels: number): unknown => {
  let value: unknown = 'core';
  for (let n = 0; n < levels; n += 1) value = n % 2 === 0 ? [value] : { inner: value };
  return value;
};
const circular: { self?: unknown } = {};
circular.self = [circular];

describe('what can be kept as JSON', () => {
  it.each([
    null,
    'text',
    1.5,
    {},
    [],
    { a: [{ b: null, c: true }] },
    { a: undefined },
    Object.create(null),
    nested(512),
  ])('has no obstacle: %#', (value) => {
    expect(obstacleToJson(value)).toBeUndefined();
  });

  it('may hold one thing in many places, however often', () => {
    let shared: unknown = { x: 1 };
    for (let n = 0; n < 60; n += 1) shared = [shared, shared];
    expect(obstacleToJson(shared)).toBeUndefined();
  });

  it.each<[string, unknown, RegExp]>([
    ['513 levels', nested(513), /deeper than 512 levels/],
    ['a million levels', nested(1_000_000), /deeper than 512 levels/],
    ['a circle', circular, /deeper than 512 levels/],
    ['a big integer', { a: 1n }, /a bigint/],
    ['a function', { a: [() => {}] }, /a function/],
    ['a symbol', { a: Symbol('s') }, /a symbol/],
    ['a date', { a: new Date(0) }, /no plain one/],
    ['a map', new Map(), /no plain one/],
    ['half a character', 'a\ud83d', /half a character/],
    ['half a character within', { a: [{ b: '\udc00b' }] }, /half a character/],
    ['half a character in a name', { a: { '\ud83d': 1 } }, /half a character/],
  ])('is not %s', (_, value, expected) => {
    expect(obstacleToJson(value)).toMatch(expected);
  });
});
