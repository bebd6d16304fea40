import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { OptionsError } from '../../src/checks/options-error.ts';
import {
  checkShape,
  kindOf,
  listOf,
  MILLISECONDS,
  objectWith,
  PATTERNS,
  TEXT,
  TEXTS,
} from '../../src/checks/shape.ts';

const SHAPES = { name: TEXT, sandbox: objectWith(['run']), waitMs: MILLISECONDS };
const check = (given: unknown) => () => checkShape('cook()', given, SHAPES, ['name']);

describe('options', () => {
  it('may leave out what is not needed, also by undefined', () => {
    expect(check({ name: 'a', sandbox: undefined })).not.toThrow();
  });

  it.each([
    [{ name: 'a', sandbx: 1 }, 'cook() does not know "sandbx". Did you mean sandbox?'],
    [{ name: 'a', SANDBOX: 1 }, 'cook() does not know "SANDBOX". Did you mean sandbox?'],
    [{ name: 'a', colour: 1 }, 'cook() does not know "colour". There are name, sandbox, waitMs.'],
    [{ name: 'a', colour: undefined }, 'cook() does not know "colour". There are name, sandbox, waitMs.'],
    [{ name: 'a', 'x\ny': 1 }, 'cook() does not know "x\\ny". There are name, sandbox, waitMs.'],
    [
      JSON.parse('{"name":"a","__proto__":1}'),
      'cook() does not know "__proto__". There are name, sandbox, waitMs.',
    ],
    [{ name: 'a', constructor: 1 }, 'cook() does not know "constructor". There are name, sandbox, waitMs.'],
    [
      vm.runInNewContext('({ name: "a", sandbx: 1 })'),
      'cook() does not know "sandbx". Did you mean sandbox?',
    ],
    [{}, 'cook(): name must be a text, and not undefined.'],
    [{ name: 5 }, 'cook(): name must be a text, and not a number.'],
    [{ name: 'a', sandbox: {} }, 'cook(): sandbox must be an object with run(), and not an object.'],
    [{ name: 'a', waitMs: Number.NaN }, 'cook(): waitMs must be a number of milliseconds, and not a number.'],
    [undefined, 'cook() must be given an object, and not undefined.'],
    ['a text', 'cook() must be given an object, and not a text.'],
    [[], 'cook() must be given an object, and not a list.'],
  ])('that are unknown, missing or of another form are refused in one line: %j', (given, message) => {
    expect(check(given)).toThrow(OptionsError);
    expect(check(given)).toThrow(new OptionsError(message));
  });

  it('of a class may have fields of their own', () => {
    class Options {
      readonly name = 'a';
      readonly own = 1;
    }
    expect(check(new Options())).not.toThrow();
  });
});

describe('a form', () => {
  it.each([
    [TEXTS, ['a'], 'a'],
    [PATTERNS, [/a/], /a/],
    [PATTERNS, [vm.runInNewContext('/a/')], ['a']],
    [listOf(['up', 'down']), ['up'], ['left']],
    [MILLISECONDS, 0, -1],
  ])('%j takes what has it and nothing else', ({ fits }, right, wrong) => {
    expect([fits(right), fits(wrong)]).toEqual([true, false]);
  });

  it('is told without what is in it: a value may be a secret', () => {
    const values = [null, undefined, [], 'secret', 1, true, {}, () => {}];
    expect(values.map(kindOf)).toEqual([
      'null',
      'undefined',
      'a list',
      'a text',
      'a number',
      'a boolean',
      'an object',
      'a function',
    ]);
  });
});
