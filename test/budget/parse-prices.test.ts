import { describe, expect, it } from 'vitest';
import { parsePrices } from '../../src/budget/parse-prices.ts';
import { priceOf } from '../../src/budget/prices.ts';

const parse = (value: unknown) => parsePrices(JSON.stringify(value));
const FULL = { input: 1, output: 2, cache_write_5m: 3, cache_write_1h: 4, cache_read: 5 };
const RATES = { input: 1, output: 2, cacheWrite5m: 3, cacheWrite1h: 4, cacheRead: 5 };

describe("a person's own prices", () => {
  it('come before those of the list, which stay for all other models', () => {
    const prices = parse({ 'my-model': FULL, 'claude-opus-5': FULL });
    expect(priceOf('my-model', 0, prices)).toEqual(RATES);
    expect(priceOf('claude-opus-5', 0, prices)).toEqual(RATES);
    expect(priceOf('claude-sonnet-5', 0, prices)).toMatchObject({ input: 2 });
    expect(priceOf('my-model')).toBeUndefined();
  });

  it('may be given for a dated id, which comes before the undated one', () => {
    const prices = parse({ 'claude-opus-5-20270101': FULL });
    expect(priceOf('claude-opus-5-20270101', 0, prices)).toEqual(RATES);
    expect(priceOf('claude-opus-5', 0, prices)).toMatchObject({ input: 5 });
  });

  it('have the usual multiples for a cache that is not spoken of', () => {
    expect(priceOf('m', 0, parse({ m: { input: 8, output: 0 } }))).toEqual({
      input: 8,
      output: 0,
      cacheWrite5m: 10,
      cacheWrite1h: 16,
      cacheRead: 0.8,
    });
  });

  it('may have a tier for long prompts', () => {
    const prices = parse({ m: { ...FULL, above: { prompt_tokens: 10, input: 7, output: 7 } } });
    expect(priceOf('m', 10, prices)).toMatchObject(RATES);
    expect(priceOf('m', 11, prices)).toMatchObject({ input: 7, output: 7, cacheRead: 0.7 });
  });

  it('may begin with the mark that some editors write', () => {
    expect(priceOf('m', 0, parsePrices(`\ufeff${JSON.stringify({ m: FULL })}`))).toEqual(RATES);
  });

  it('stand before the list, whose other models keep theirs', () => {
    const prices = parsePrices('{"claude-opus-5": {"input": 1, "output": 1}}');
    expect(priceOf('claude-opus-5', 0, prices)).toMatchObject({ input: 1, output: 1 });
    expect(priceOf('claude-haiku-4-5', 0, prices)).toEqual(priceOf('claude-haiku-4-5'));
  });

  it('may be given for any name', () => {
    const prices = parsePrices('{"toString": {"input": 1, "output": 1}, "": {"input": 2, "output": 1}}');
    expect(priceOf('toString', 0, prices)).toMatchObject({ input: 1 });
    expect(priceOf('', 0, prices)).toMatchObject({ input: 2 });
  });

  it.each<[string, string]>([
    ['{', 'The prices are not JSON: '],
    ['[]', 'the file must be an object such as {"my-model": {"input": 2, "output": 10}}'],
    ['null', 'the file must be an object'],
    ['{"__proto__": {"input": 1, "output": 2}}', '"__proto__" is no name of a model'],
    ['{"m": 3}', '"m" must be an object such as'],
    ['{"m": {"input": 1}}', '"m" has no output'],
    ['{"m": {"input": 1, "output": "2"}}', '"m": output must be a number of USD for a million tokens'],
    ['{"m": {"input": -1, "output": 2}}', '"m": input must be a number'],
    ['{"m": {"input": 1e999, "output": 2}}', '"m": input must be a number'],
    ['{"m": {"input": null, "output": 2}}', '"m" has no input'],
    [
      '{"m": {"input": 1, "output": 2, "cached": 1}}',
      '"m" has an unknown field "cached"; known: input, output,',
    ],
    ['{"m": {"input": 1, "output": 2, "above": 5}}', '"m", above must be an object'],
    [
      '{"m": {"input": 1, "output": 2, "above": {"input": 1, "output": 1}}}',
      '"m", above: prompt_tokens must be',
    ],
    [
      '{"m": {"input": 1, "output": 2, "above": {"prompt_tokens": 1, "input": 1}}}',
      '"m", above has no output',
    ],
  ])('are refused in one line: %s', (json, words) => {
    expect(() => parsePrices(json)).toThrow(words);
    expect(() => parsePrices(json)).toThrow(/^.*$/);
  });
});
