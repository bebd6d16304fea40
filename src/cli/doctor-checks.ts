import fs from 'node:fs/promises';
import path from 'node:path';
import { runPath, stateFolder } from '../journal/location.ts';
import { anthropicModel } from '../model/anthropic.ts';
import { normaliseBaseUrl } from '../model/base-url.ts';
import { type ModelSettings, modelSettings } from '../model/environment.ts';
import { DEFAULT_MODEL } from '../model/models.ts';
import { confine } from '../sandbox/confine.ts';
import { readDotEnv } from './dot-env.ts';
import { OTHER_STATE_FOLDER } from './report.ts';
import { viewOf } from './sandbox-settings.ts';

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
    await sandboxCheck(workspace, folder, env),
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

/** Scripted runs read `.env` too, and need nothing else of this: what is wrong with the rest is a note. */
async function modelChecks(folder: string, env: NodeJS.ProcessEnv): Promise<Check[]> {
  let dotEnv: string | undefined;
  try {
    dotEnv = await readDotEnv(folder);
  } catch (error) {
    return [{ name: '.env', level: 'problem', found: messageOf(error), remedy: 'Without it runs work.' }];
  }
  try {
    const settings = modelSettings(env, dotEnv);
    const address = normaliseBaseUrl(settings.baseUrl, 'ANTHROPIC_BASE_URL');
    return [
      keyCheck(settings),
      ok('address', address),
      ok('model', `${settings.model ?? DEFAULT_MODEL}, not asked`),
    ];
  } catch (error) {
    return [{ name: 'service', level: 'note', found: messageOf(error), remedy: ONLY_SCRIPTED }];
  }
}

const messageOf = (error: unknown): string => (error as Error).message;
const ONLY_SCRIPTED = 'Until then only scripted runs work.';

/** Makes the client as a run does: that judges the form of the key. The address is known to be right. */
function keyCheck({ model: _, ...service }: ModelSettings): Check {
  const { apiKey, authToken } = service;
  if (apiKey === undefined && authToken === undefined) {
    const remedy = `Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN. ${ONLY_SCRIPTED}`;
    return { name: 'key', level: 'note', found: 'none', remedy };
  }
  const variable = apiKey === undefined ? 'ANTHROPIC_AUTH_TOKEN' : 'ANTHROPIC_API_KEY';
  try {
    anthropicModel(service);
    return ok('key', `${variable} is set`);
  } catch (error) {
    const remedy = `Correct ${variable}. ${ONLY_SCRIPTED}`;
    return { name: 'key', level: 'note', found: messageOf(error), remedy };
  }
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
  const obstacle = await obstacleIn(await nearest(path.dirname(runPath(folder, 'any'))));
  if (obstacle === undefined) return ok(name, folder);
  return { name, level: 'problem', found: `${folder} ${obstacle}`, remedy: OTHER_STATE_FOLDER };
}

async function obstacleIn(folder: string): Promise<string | undefined> {
  if (!(await isAllowed(folder, R_OK | W_OK | X_OK))) return 'cannot be written to';
  const { type } = await fs.statfs(folder);
  return SYSTEM_FILES.has(type) ? 'is where the system shows itself: it takes no files' : undefined;
}

/** Linux file systems whose folders say that they can be written to and take no new file: proc, sysfs, cgroup and so on. */
const SYSTEM_FILES = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x1cd1,
]);

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

/** Tries it out, as a run does. */
async function sandboxCheck(workspace: string, folder: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const name = 'sandbox';
  try {
    const found = await confine(await viewOf(workspace, false, folder, env));
    if (found.by !== null) return ok(name, `${found.by}: commands see the workspace, and no network`);
    const remedy = `${found.remedy} Until then every command asks, or runs unconfined with --sandbox off.`;
    return { name, level: 'note', found: `none: ${found.reason}`, remedy };
  } catch (error) {
    return { name, level: 'note', found: `not tried: ${messageOf(error)}`, remedy: 'See above.' };
  }
}

async function isAllowed(file: string, mode: number): Promise<boolean> {
  return fs.access(file, mode).then(
    () => true,
    () => false,
  );
}
