/** Where journals are kept and how runs are named. */
import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** $PAWL_HOME, else the XDG state folder. A relative XDG path does not count, as its specification says. */
export function stateFolder(env: Environment = process.env): string {
  if (env.PAWL_HOME) return path.resolve(env.PAWL_HOME);
  const xdg = env.XDG_STATE_HOME;
  const base =
    xdg && path.isAbsolute(xdg) ? xdg : path.join(env.HOME || os.userInfo().homedir, '.local', 'state');
  return path.join(base, 'pawl');
}

export const runsFolder = (env: Environment = process.env): string => path.join(stateFolder(env), 'runs');

export const runPath = (folder: string, runId: string): string => path.join(folder, 'runs', `${runId}.jsonl`);

/**
 * Where records are, which nothing that the model does may reach: all runs, and this one, if it lies elsewhere, with what
 * is beside it. Absolute real beginnings of paths; that of a folder ends in a slash.
 * @param journal its path, or "memory"
 */
export function recordPlaces(journal: string, env: Environment = process.env): string[] {
  const runs = `${realIfThere(runsFolder(env))}${path.sep}`;
  const file = realIfThere(journal);
  if (journal === 'memory' || file.startsWith(runs)) return [runs];
  const name = file.replace(/\.jsonl$/, '');
  return [runs, file, `${name}.lock-`, `${name}.inspect`];
}

/** Links on the way are followed, as far as it is there. */
export function realIfThere(file: string): string {
  const whole = path.resolve(file);
  if (existsSync(whole)) return realpathSync(whole);
  const folder = path.dirname(whole);
  return folder === whole ? whole : path.join(realIfThere(folder), path.basename(whole));
}

/** Sorts by time to the millisecond, and says the time: "20261130-094512-k3x9q". Two runs of one moment differ at the end. */
export function newRunId(now: number, random: () => number): string {
  const [day = '', time = ''] = new Date(now).toISOString().slice(0, 19).split('T');
  const moment = (now % 1_000).toString(36).padStart(2, '0');
  const tail = Array.from({ length: 3 }, () => Math.floor(random() * 36).toString(36)).join('');
  return `${day.replaceAll('-', '')}-${time.replaceAll(':', '')}-${moment}${tail}`;
}
