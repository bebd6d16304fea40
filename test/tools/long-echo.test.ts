/** What the model sent may be megabytes, and comes back to it in error texts: never more than it takes to know it again. */
import { describe, expect, it } from 'vitest';
import { builtinTools, toolRegistry } from '../../src/tools/registry.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { workspace } from './support.ts';

const LONG = 3_000_000;
const tools = builtinTools();
const USUAL = {
  read_file: { path: 'a.txt' },
  list_files: { path: '.' },
  search_files: { path: '.', pattern: 'a', include: '*' },
  write_file: { path: 'a.txt', content: '' },
  edit_file: { path: 'a.txt', old_string: 'b', new_string: 'c' },
};
const PARTS = ['x', '(', '[\\w', '\\d', '/x', '../', '.env', '\0', '\n'];

function toolNamed(name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}`);
  return found;
}

describe('an error text', () => {
  it.each(['x', '\u202e', 'é', '"', '😀'])('shows the start of a long tool name: of many %j', (letter) => {
    const checked = new Toolbox(toolRegistry(tools)).check(letter.repeat(LONG), {});
    expect(checked.ok).toBe(false);
    const reason = checked.ok ? '' : checked.reason;
    expect(reason).toMatch(/^There is no tool named ".+\.\.\..*"\. Available tools: read_file/);
    expect(reason.length).toBeLessThan(2_000);
    expect(reason.isWellFormed()).toBe(true);
  });

  it('shows a short one whole', () => {
    const checked = new Toolbox(toolRegistry([])).check('Bash', {});
    expect(checked).toEqual({ ok: false, reason: 'There is no tool named "Bash". Available tools: none.' });
  });

  it.each(tools.map(({ name }) => name))('of %s does not repeat long keys that are unknown', async (name) => {
    const { call } = await workspace();
    const keys = Array.from({ length: 30 }, (_, at) => [`${at}${'\u202e'.repeat(LONG / 30)}`, 1]);
    expect((await call(toolNamed(name), Object.fromEntries(keys))).text.length).toBeLessThan(20_000);
  });

  it.each(
    Object.entries(USUAL).flatMap(([name, input]) =>
      Object.keys(input).flatMap((key) => PARTS.map((part) => ({ name, key, part, input }))),
    ),
  )('of $name does not repeat a long $key of many $part', async ({ name, key, part, input }) => {
    const { call } = await workspace({ 'a.txt': 'a' });
    const long = { ...input, [key]: part.repeat(LONG / part.length) };
    expect((await call(toolNamed(name), long)).text.length).toBeLessThan(5_000);
  });
});
