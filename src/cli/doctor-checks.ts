import fs from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../journal/location.ts';
import { normaliseBaseUrl } from '../model/base-url.ts';
import { type ModelSettings, modelSettings } from '../model/environment.ts';
import { DEFAULT_MODEL } from '../model/models.ts';
import { readDotEnv } from './dot-env.ts';

/** note: something works less well; problem: no run is possible. `remedy` is null where all is well. */
export interface Check {
  readonly name: string;
  readonly level: 'ok' | 'note' | 'problem';
  readonly found: string;
  readonly remedy: string | null;
}

const OLDEST_NODE = [20, 12] as const;

const { R_OK, W_OK, X_OK } = fs.constants;

/** @param workspace absolute path. @param folder where `.env` is looked for */
export async function checks(workspace: string, folder: string, env: NodeJS.ProcessEnv): Promise<Check[]> {
  return [
    nodeVersion(),
    ...(await modelChecks(folder, env)),
    await program('bash', 'the tool bash does not work', env),
    await program('grep', 'searching files does not work', env),
    await program('python3', 'the tool run_python does not work', env),
    await stateFolderCheck(stateFolder(env)),
    await workspaceCheck(workspace),
    {
      name: 'sandbox',
      level: 'note',
      found: 'none: tools run unconfined, with all your rights',
      remedy: 'Read what a call does before you allow it; use --yes in a container or a machine of its own.',
    },
  ];
}

const ok = (name: string, found: string): Check => ({ name, level: 'ok', found, remedy: null });

function nodeVersion(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isNewEnough) return ok('node', process.versions.node);
  const remedy = `Install Node ${OLDEST_NODE.join('.')} or newer.`;
  return { name: 'node', level: 'problem', found: process.versions.node, remedy };
}

/** Scripted runs need none of this, so nothing here is worse than a note. */
async function modelChecks(folder: string, env: NodeJS.ProcessEnv): Promise<Check[]> {
  try {
    const settings = modelSettings(env, await readDotEnv(folder));
    return [
      keyCheck(settings),
      ok('address', normaliseBaseUrl(settings.baseUrl)),
      ok('model', `${settings.model ?? DEFAULT_MODEL}, not asked`),
    ];
  } catch (error) {
    const found = (error as Error).message;
    return [{ name: 'service', level: 'note', found, remedy: 'Until then only scripted runs work.' }];
  }
}

function keyCheck({ apiKey, authToken }: ModelSettings): Check {
  if (apiKey !== undefined) return ok('key', 'ANTHROPIC_API_KEY is set');
  if (authToken !== undefined) return ok('key', 'ANTHROPIC_AUTH_TOKEN is set');
  const remedy = 'Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN; until then only --script works.';
  return { name: 'key', level: 'note', found: 'none', remedy };
}

async function program(name: string, loss: string, env: NodeJS.ProcessEnv): Promise<Check> {
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    if (folder !== '' && (await isAllowed(file, X_OK))) return ok(name, file);
  }
  const remedy = `Install ${name}; until then ${loss}.`;
  return { name, level: 'note', found: 'not found in PATH', remedy };
}

/** The folder is made with the first run: until then the nearest one that exists must take it. */
async function stateFolderCheck(folder: string): Promise<Check> {
  const name = 'state';
  if (await isAllowed(await nearest(folder), R_OK | W_OK | X_OK)) return ok(name, folder);
  const remedy = 'Set PAWL_HOME to a folder that you can write to, or run with --ephemeral.';
  return { name, level: 'problem', found: `${folder} cannot be written to`, remedy };
}

async function nearest(folder: string): Promise<string> {
  const exists = await fs.stat(folder).catch(() => undefined);
  if (exists) return exists.isDirectory() ? folder : path.join(folder, 'no folder');
  const parent = path.dirname(folder);
  return parent === folder ? folder : nearest(parent);
}

async function workspaceCheck(folder: string): Promise<Check> {
  const name = 'workspace';
  const isFolder = (await fs.stat(folder).catch(() => undefined))?.isDirectory();
  if (!isFolder || !(await isAllowed(folder, R_OK | X_OK))) {
    const found = `${folder} ${isFolder ? 'cannot be read' : 'is no folder'}`;
    return { name, level: 'problem', found, remedy: 'Name another folder with --cd.' };
  }
  if (await isAllowed(folder, W_OK)) return ok(name, folder);
  const remedy = 'Tools can read but not write there; name another folder with --cd.';
  return { name, level: 'note', found: `${folder} is read-only`, remedy };
}

async function isAllowed(file: string, mode: number): Promise<boolean> {
  return fs.access(file, mode).then(
    () => true,
    () => false,
  );
}
