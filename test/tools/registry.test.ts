import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OptionsError } from '../../src/checks/options-error.ts';
import { builtinTools, toolRegistry } from '../../src/tools/registry.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';

const named = (name: string, input: z.ZodType = z.strictObject({})): Tool =>
  defineTool({ name, description: 'd', input, effect: 'read', run: async () => '' });

describe('the built-in tools', () => {
  it('come in a fixed order, with the effect that decides how they are scheduled and repeated', () => {
    expect(builtinTools().map(({ name, effect }) => `${name}: ${effect}`)).toEqual([
      'read_file: read',
      'list_files: read',
      'search_files: read',
      'write_file: idempotent',
      'edit_file: effectful',
      'run_python: effectful',
      'run_main: effectful',
      'bash: effectful',
    ]);
  });

  it('take one time limit for what runs code of the model', () => {
    const described = builtinTools({ processTimeoutMs: 2_000 }).filter(({ description }) =>
      description.includes('Time limit 2 s'),
    );
    expect(described.map(({ name }) => name)).toEqual(['run_python', 'bash']);
  });

  it('describe each key to the model', () => {
    for (const { inputSchema } of toolRegistry(builtinTools()).specs) {
      const properties = Object.values(inputSchema.properties as Record<string, { description?: string }>);
      expect(properties.every(({ description }) => (description?.length ?? 0) > 20)).toBe(true);
    }
  });
});

describe('toolRegistry', () => {
  it('tells the model each tool as JSON Schema, in the order given', () => {
    const { specs } = toolRegistry(builtinTools());
    expect(specs.map(({ name }) => name)).toEqual(builtinTools().map(({ name }) => name));
    expect(specs.find(({ name }) => name === 'list_files')).toEqual({
      name: 'list_files',
      description: expect.stringMatching(/^Lists/),
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string', minLength: 1, default: '.', description: expect.any(String) } },
        additionalProperties: false,
      },
    });
    expect(JSON.parse(JSON.stringify(specs))).toEqual(specs);
  });

  it('gives the same list each time, and computes it only when asked', () => {
    const registry = toolRegistry([named('odd', z.strictObject({ at: z.date() }))]);
    expect(registry.names).toEqual(['odd']);
    expect(() => registry.specs).toThrow(/input schema of the tool odd cannot be written/);
    const { specs, ...same } = toolRegistry(builtinTools());
    expect(same.names.length).toBe(specs.length);
    const again = toolRegistry(builtinTools());
    expect(again.specs).toBe(again.specs);
  });

  it('tells the model that unknown keys are refused, unless they are not', () => {
    const { specs } = toolRegistry([named('plain', z.object({})), named('loose', z.looseObject({}))]);
    expect(specs.map(({ inputSchema }) => inputSchema.additionalProperties)).toEqual([false, {}]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'BASH', 'bash ', ''])(
    'finds nothing under %j',
    (name) => {
      expect(toolRegistry(builtinTools()).get(name)).toBeUndefined();
    },
  );

  it('finds a tool by its name, also one that every object has', () => {
    const tool = named('constructor');
    expect(toolRegistry([tool]).get('constructor')).toBe(tool);
  });

  it.each(['with space', 'files.list', 'ns:do', 'café', 'a\n', 'x'.repeat(129)])(
    'refuses the name %j',
    (name) => {
      expect(() => toolRegistry([named(name)])).toThrow(JSON.stringify(name));
    },
  );

  const right = named('greet');
  const refused: readonly [what: string, tool: unknown, problem: string][] = [
    ['an empty object', {}, 'needs a "name"'],
    ['a text', 'bash', 'is no object'],
    ['no name', { ...right, name: '' }, 'needs a "name"'],
    ['no description', { ...right, description: ' ' }, '(greet) needs a "description" for the model'],
    [
      'JSON Schema',
      { ...right, input: { type: 'object' } },
      '(greet) needs an "input" that is a Zod 4 object schema',
    ],
    [
      'no effect',
      { ...right, effect: undefined },
      '(greet) needs an "effect": read, idempotent or effectful',
    ],
    [
      'another effect',
      { ...right, effect: 'harmless' },
      '(greet) needs an "effect": read, idempotent or effectful',
    ],
    [
      'another name for run',
      { ...right, run: undefined, execute: right.run },
      '(greet) needs a function "run"',
    ],
    [
      'a rule that is no function',
      { ...right, precondition: true },
      '(greet) has a "precondition" that is no function',
    ],
    ['a probe that is no function', { ...right, probe: 'x' }, '(greet) has a "probe" that is no function'],
    [
      'a rule that is misspelt, and would never be asked',
      { ...right, preconditon: () => 'no' },
      '(greet) has an unknown key "preconditon", where "precondition" may be meant',
    ],
    [
      'a key of something else',
      { ...right, schema: {} },
      '(greet) has an unknown key "schema"; known are name, description, ',
    ],
  ];
  it.each(refused)('refuses what has not the form of a tool: %s', (_, tool, problem) => {
    const make = () => toolRegistry([...builtinTools(), tool as Tool]);
    expect(make).toThrow(OptionsError);
    expect(make).toThrow(`The tools are not valid: tool 9 ${problem}`);
  });

  it('takes a tool that is an instance of a class, with fields of its own', () => {
    class Greet {
      readonly name = 'greet';
      readonly description = 'Greets.';
      readonly input = z.strictObject({});
      readonly effect = 'read';
      readonly greeting = 'hello';
      async run() {
        return this.greeting;
      }
    }
    expect(toolRegistry([new Greet()]).names).toEqual(['greet']);
  });

  it('refuses two tools of one name', () => {
    expect(() => toolRegistry([...builtinTools(), named('bash')])).toThrow('There are two tools named bash.');
  });

  it.each([
    ['a text', z.string()],
    ['a list', z.array(z.string())],
    ['a choice', z.union([z.strictObject({}), z.strictObject({ a: z.string() })])],
    ['anything', z.unknown()],
  ])('refuses a schema that is no object: %s', (_, input) => {
    expect(() => toolRegistry([named('odd', input)])).toThrow(
      /input schema of the tool odd must be an object/,
    );
  });
});
