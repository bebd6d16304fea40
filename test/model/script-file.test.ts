import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScript } from '../../src/model/script-file.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';

let folder: string;
const write = async (name: string, text: string) => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pawl-script-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a script from a file', () => {
  it.each([
    ['list.json', '[{"text": "hello"}]'],
    ['object.json', '{"replies": [{"text": "hello"}]}'],
    ['list.yaml', '- text: hello\n'],
    ['object.yml', 'replies:\n  - text: hello # said\n'],
    ['list.mjs', 'export default [{ text: "hello" }];'],
    ['object.mjs', 'export default { replies: [{ text: "hello" }] };'],
    ['function.mjs', 'export default (request, n) => ({ text: n === 1 ? "hello" : "no" });'],
  ])('is read from %s', async (name, text) => {
    const client = scriptedModel(await loadScript(await write(name, text)), name);
    const message = await client.ask(modelRequest(), { signal: noAbort() });
    expect(message.content).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it.each([
    ['torn.json', '[{"text": ', 'torn.json cannot be read: '],
    ['torn.yaml', 'a: [1,\n  b', 'torn.yaml cannot be read: '],
    ['torn.mjs', 'export default [', 'torn.mjs cannot be read: '],
    ['throws.mjs', 'throw new Error("out of order")', 'throws.mjs cannot be read: out of order'],
    ['empty.yaml', '', 'empty.yaml: a script is a list of replies'],
    ['nothing.mjs', 'export const replies = [];', 'nothing.mjs: a script is a list of replies'],
    ['wrong.yaml', '- text: hello\n- txt: hello\n', 'wrong.yaml, reply 2: Unrecognized key: "txt"'],
    ['script.txt', 'hello', 'script.txt is no script: its name must end in .json, .yaml, .yml or .mjs'],
  ])('is refused in one line that names the file: %s', async (name, text, words) => {
    const failure = await loadScript(await write(name, text)).catch((error: unknown) => error);
    expect(String(failure)).toContain(words);
    expect(String(failure)).not.toContain('\n');
  });

  it('is refused where there is no such file', async () => {
    await expect(loadScript(path.join(folder, 'missing.json'))).rejects.toThrow(
      'missing.json cannot be read: ENOENT',
    );
  });
});
