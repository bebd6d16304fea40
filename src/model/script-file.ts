import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkScript, type Script, type ScriptReply } from './script.ts';

/**
 * A script from a file: .json, .yaml and .yml hold replies; .mjs exports them, or a function, as its default.
 * Throws an Error of one line that names the file, and the reply and field where it is a matter of those.
 */
export async function loadScript(path: string): Promise<Script> {
  const name = basename(path);
  const content = await read(path, name);
  if (typeof content === 'function') return content as Extract<Script, (...parameters: never[]) => unknown>;
  checkScript(content, name);
  return content as readonly ScriptReply[];
}

async function read(path: string, name: string): Promise<unknown> {
  const kind = extname(path).toLowerCase();
  try {
    if (kind === '.mjs') return (await import(pathToFileURL(resolve(path)).href)).default;
    const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
    if (kind === '.json') return JSON.parse(text);
    if (kind === '.yaml' || kind === '.yml')
      return (await import('yaml')).default.parse(text, { logLevel: 'error' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} cannot be read: ${reason.split('\n', 1)[0]}`, { cause: error });
  }
  throw new Error(`${name} is no script: its name must end in .json, .yaml, .yml or .mjs`);
}
