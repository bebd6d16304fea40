import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkInput } from '../../src/tools/check-input.ts';
import { editFileTool } from '../../src/tools/edit-file.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import { defineTool } from '../../src/tools/tool.ts';

const KEYS = 'Its keys: path (required), offset (optional), limit (optional).';
const reasonOf = (input: unknown) => {
  const checked = checkInput(readFileTool, input);
  return checked.ok ? 'accepted' : checked.reason;
};

describe('checkInput', () => {
  it('gives the input as the schema makes it', () => {
    const tool = defineTool({
      name: 'greet',
      description: 'Greets.',
      input: z.strictObject({ name: z.string().default('you') }),
      effect: 'read',
      run: async ({ name }) => name,
    });
    expect(checkInput(tool, {})).toEqual({ ok: true, input: { name: 'you' } });
  });

  it.each([
    [null, 'it must be an object, and null came'],
    [undefined, 'it must be an object, and a undefined came'],
    ['ls', 'it must be an object, and a string came'],
    [7, 'it must be an object, and a number came'],
    [[], 'it must be an object, and a list came'],
    [{}, 'the key "path" is missing'],
    [{ path: 'a.txt', mode: 'wild' }, 'there is no key "mode"'],
    [{ path: 5 }, '"path": Invalid input: expected string, received number'],
    [{ path: null }, '"path": Invalid input: expected string, received null'],
    [{ path: 'a', offset: 1.5 }, '"offset": Invalid input: expected int, received number'],
    [{ path: 'a', a: 1, b: 2 }, 'there is no key "a"; there is no key "b"'],
    [JSON.parse('{"path":"a","__proto__":{"x":1}}'), 'there is no key "__proto__"'],
    [JSON.parse('{"__proto__":{"path":"a"}}'), 'there is no key "__proto__"'],
    [{ path: 'a', constructor: 'x' }, 'there is no key "constructor"'],
    [{ path: 'a', 'x\u001b[2J\n': 1 }, 'there is no key "x\\u001b[2J\\u000a"'],
  ])('refuses %j and says what is wrong and which keys there are', (input, problem) => {
    expect(reasonOf(input)).toBe(`Wrong input for read_file: ${problem}. ${KEYS}`);
  });

  it('names each of several problems', () => {
    const checked = checkInput(editFileTool, { path: 1, old_string: 'a' });
    expect(checked).toMatchObject({
      ok: false,
      reason: expect.stringMatching(
        /"path": .*; the key "new_string" is missing\. Its keys: path \(required\)/,
      ),
    });
  });

  it('changes no prototype', () => {
    reasonOf(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['many keys', Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, at]))],
    ['a very long key', { ['k'.repeat(1_000_000)]: 1 }],
    ['deep nesting', { path: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) }],
    ['an object without prototype', Object.assign(Object.create(null), { x: 1 })],
    ['values that JSON does not have', { path: 1n, offset: Symbol('x'), limit: () => 1 }],
  ])('answers %s with a short reason', (_, input) => {
    const reason = reasonOf(input);
    expect(reason).toMatch(/^Wrong input for read_file/);
    expect(reason.length).toBeLessThan(2_000);
  });

  it('takes a huge text that is allowed', () => {
    expect(
      checkInput(editFileTool, { path: 'a', old_string: 'x'.repeat(5_000_000), new_string: '' }).ok,
    ).toBe(true);
  });

  it.each([
    ['a plain object schema', z.object({ a: z.string() }), false],
    ['a loose one', z.looseObject({ a: z.string() }), true],
    ['one for further keys', z.object({ a: z.string() }).catchall(z.number()), true],
  ])('refuses unknown keys unless the schema asks for them: %s', (_, input, ok) => {
    const tool = defineTool({ name: 't', description: 'd', input, effect: 'read', run: async () => '' });
    expect(checkInput(tool, { a: 'a', further: 1 }).ok).toBe(ok);
  });

  it('passes on a rule of the whole input', () => {
    const input = z.strictObject({ a: z.int() }).refine(({ a }) => a > 1, 'a must be more than 1');
    const tool = defineTool({ name: 't', description: 'd', input, effect: 'read', run: async () => '' });
    expect(checkInput(tool, { a: 1 })).toEqual({
      ok: false,
      reason: 'Wrong input for t: a must be more than 1. Its keys: a (required).',
    });
  });
});
