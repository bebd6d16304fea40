/** The engine that runs are submitted to, by its addresses. What speaks with it is loaded only when it is asked for. */

import path from 'node:path';
import { stateFolder } from '../journal/location.ts';
import type { Admin, EngineRun } from '../restate/admin.ts';
import type { Ingress } from '../restate/ingress.ts';
import { quoted } from './format.ts';
import { printableLine } from './printable.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

export interface EngineFlags {
  readonly restate?: string;
  readonly restateAdmin?: string;
}

export interface Engine {
  readonly ingress: Ingress;
  readonly admin: Admin;
}

/** Where the engine's admin address is, beside its ingress, if nothing is said. */
const ADMIN_PORT = '9070';

/** @throws UsageError where no engine is named, or its packages are not there */
export async function engineOf({ restate, restateAdmin }: EngineFlags, env = process.env): Promise<Engine> {
  const { PAWL_RESTATE: usual, PAWL_RESTATE_ADMIN: usualAdmin } = env;
  const url = addressOf('--restate', restate ?? usual);
  // The variable is about the engine of the other variable: another one is not looked for behind its back.
  const isUsual = usual !== undefined && plain(usual) === url;
  const given = restateAdmin ?? (isUsual ? usualAdmin : undefined);
  const admin = given === undefined ? besides(url) : addressOf('--restate-admin', given);
  const { Ingress, Admin } = await withEngine(() => import('../restate/client.ts'));
  return { ingress: new Ingress(url), admin: new Admin(admin) };
}

/** Whether a command is about runs of an engine. Only a flag says so: a setting of the environment must not hide runs that are here. */
export const isOfEngine = ({ restate, restateAdmin }: EngineFlags): boolean =>
  restate !== undefined || restateAdmin !== undefined;

/** @throws UsageError where a package is missing that whoever needs no engine does without */
export async function withEngine<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code, message = '' } = error as { readonly code?: string; readonly message?: string };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@restatedev/')) throw error;
    throw new UsageError(
      'The packages for Restate are not installed. Install them beside pawl: npm install @restatedev/restate-sdk @restatedev/restate-sdk-clients',
    );
  }
}

/** What the engine objects to, as a wrong setting: nothing was done. */
export async function asked<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'EngineError' || name === 'BlobError') throw new UsageError(printableLine(message));
    throw error;
  }
}

/** @param run an id, or a beginning that one run has. @throws UsageError */
export async function findEngineRun(admin: Admin, run: string): Promise<EngineRun> {
  const found = await asked(() => admin.runs(MOST_LISTED, run));
  const exact = found.filter(({ runId }) => runId === run);
  const [one, ...others] = exact.length > 0 ? exact : found;
  if (one === undefined || run === '')
    throw new UsageError(
      `There is no run ${quoted(run)} at ${admin.url}. All: ${typed('runs')} --restate URL`,
    );
  if (others.length > 0)
    throw new UsageError(
      `Several runs begin with ${quoted(run)}: ${found.map(({ runId }) => runId).join(', ')}. Give more of the id.`,
    );
  return one;
}

const MOST_LISTED = 5;

/** Where workers keep the folders of runs, and what is too large for the engine, if nothing is said. */
export const workspacesFolder = (flag: string | undefined): string =>
  flag === undefined ? path.join(stateFolder(), 'workspaces') : path.resolve(flag);
export const blobsFolder = (flag: string | undefined, workspaces: string): string =>
  flag === undefined ? path.join(workspaces, '.blobs') : path.resolve(flag);

/** @throws UsageError for what is no address */
export function addressOf(flag: string, text: string | undefined): string {
  if (text === undefined)
    throw new UsageError(`Say where the engine is: ${flag} http://127.0.0.1:8080, or PAWL_RESTATE.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${flag} must be an address such as http://127.0.0.1:8080, not ${quoted(text)}.`);
  return plain(text);
}

const plain = (address: string): string => address.replace(/\/+$/, '');

function besides(url: string): string {
  const admin = new URL(url);
  admin.port = ADMIN_PORT;
  return admin.origin;
}
