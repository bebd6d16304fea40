/** Where journals are kept and how runs are named. */
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

export const runPath = (folder: string, runId: string): string => path.join(folder, 'runs', `${runId}.jsonl`);

/** Sorts by time to the millisecond, and says the time: "20261130-094512-k3x9q". Two runs of one moment differ at the end. */
export function newRunId(now: number, random: () => number): string {
  const [day = '', time = ''] = new Date(now).toISOString().slice(0, 19).split('T');
  const moment = (now % 1_000).toString(36).padStart(2, '0');
  const tail = Array.from({ length: 3 }, () => Math.floor(random() * 36).toString(36)).join('');
  return `${day.replaceAll('-', '')}-${time.replaceAll(':', '')}-${moment}${tail}`;
}
