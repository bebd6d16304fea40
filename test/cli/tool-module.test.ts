import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadToolModule } from '../../src/cli/tool-module.ts';
import { joinTools } from '../../src/cli/tool-selection.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { Place } from './support.ts';

let place: Place;
beforeAll(() => {
  place = new Place();
});
afterAll(() => place.remove());

const zod = pathToFileURL(new URL('../../node_modules/zod/index.js', import.meta.url).pathname).href;
let written = 0;
/** A new file each time: modules are loaded once. */
function module(list: string): string {
  written += 1;
  return place.write(`tools-${written}.mjs`, `import { z } from '${zod}';\nexport default ${list};`);
}
const tool = (fields = '') =>
  `{ name: 'greet', description: 'Greets.', input: z.strictObject({ who: z.string() }), effect: 'read', run: async ({ who }) => who, ${fields} }`;

describe('a tool module', () => {
  it('gives the tools that its default export lists', async () => {
    const file = module(`[${tool()}]`);
    const tools = joinTools(builtinTools(), await loadToolModule(file), file);
    expect(tools.at(-1)?.name).toBe('greet');
  });

  it.each([
    ['{}', 'its default export must be a list of tools'],
    ['[1]', 'tool 1 is no object'],
    [`[${tool()}, ${tool("name: ''")}]`, 'tool 2 needs a "name"'],
    [`[${tool("description: ' '")}]`, '(greet) needs a "description"'],
    [`[${tool('input: { type: "object" }')}]`, '(greet) needs an "input"'],
    [`[${tool("effect: 'harmless'")}]`, '(greet) needs an "effect": read, idempotent or effectful'],
    [`[${tool('run: undefined')}]`, '(greet) needs a function "run"'],
    [`[${tool('precondition: true')}]`, '(greet) has a "precondition" that is no function'],
    [`[${tool('effects: []')}]`, '(greet) has an unknown key "effects", where "effect" may be meant'],
  ])('%s is refused with what it lacks', async (list, problem) => {
    await expect(loadToolModule(module(list))).rejects.toThrow(problem);
  });

  it.each([
    [`[${tool("name: 'bash'")}]`, 'There are two tools named bash'],
    [`[${tool()}, ${tool()}]`, 'There are two tools named greet'],
    [`[${tool("name: 'with space'")}]`, 'with space'],
    [`[${tool('input: z.string()')}]`, 'must be an object schema'],
    [`[${tool('input: z.strictObject({ at: z.date() })')}]`, 'cannot be written as JSON Schema'],
  ])('%s cannot be offered together with the built-in tools', async (list, problem) => {
    const file = module(list);
    const tools = await loadToolModule(file);
    expect(() => joinTools(builtinTools(), tools, file)).toThrow(problem);
  });

  it.each([
    ['pawl', 'npm install /path/to/pawl there.'],
    ['not-there-at-all', 'npm install not-there-at-all there.'],
  ])('that lacks the package %s is told how to get it', async (name, remedy) => {
    const file = place.write(`lacks-${name}.mjs`, `import '${name}';`);
    await expect(loadToolModule(file)).rejects.toThrow(
      `cannot be loaded: Cannot find package '${name}' imported from ${file}. Packages are looked for from the folder of the module on: ${remedy}`,
    );
  });

  it('that cannot be loaded is named with the reason, in one line', async () => {
    const file = place.write('broken.mjs', 'export default [');
    await expect(loadToolModule(file)).rejects.toThrow(
      /^The tool module .*broken\.mjs cannot be loaded: [^\n]+$/,
    );
    await expect(loadToolModule(place.file('absent.mjs'))).rejects.toThrow('absent.mjs cannot be loaded');
  });
});
