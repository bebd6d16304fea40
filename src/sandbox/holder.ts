/**
 * Who a process is, so that another one can tell later whether it still runs. A pid alone does not say it: pids are used
 * again, start at 1 in each container, and mean nothing after a restart of the machine. Nothing here measures time since
 * a sign of life: a stopped process, or one whose event loop is blocked, is alive.
 */
import fs from 'node:fs';
import os from 'node:os';

export interface Holder {
  readonly pid: number;
  /** Clock ticks from the start of the machine to that of the process; null where there is no /proc. */
  readonly startTime: string | null;
  readonly bootId: string | null;
  readonly pidNamespace: string | null;
  readonly host: string;
  /** When it took the lock, ISO 8601 in UTC. For people only. */
  readonly since: string | null;
}

/** "unknown" is what cannot be told from here; it must be treated as alive. */
export type Standing = 'alive' | 'dead' | 'unknown';

export function thisProcess(now: number): Holder {
  return {
    pid: process.pid,
    startTime: statOf(process.pid)?.startTime ?? null,
    bootId: unlessMissing(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: unlessMissing(() => fs.readlinkSync('/proc/self/ns/pid')),
    host: os.hostname(),
    since: new Date(now).toISOString(),
  };
}

/**
 * What a lock file says. A pid is enough: what else is missing makes a holder that cannot be judged, such as one of
 * another version of pawl. undefined: nothing that any pawl writes.
 */
export function parseHolder(text: string): Holder | undefined {
  const found = parse(text);
  if (typeof found !== 'object' || found === null) return undefined;
  const { pid, startTime, bootId, pidNamespace, host, since } = found as Record<string, unknown>;
  // Other numbers mean process groups to the system, or are cut to a smaller one.
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1 || pid >= 2 ** 31) return undefined;
  return {
    pid,
    startTime: textOrNull(startTime),
    bootId: textOrNull(bootId),
    pidNamespace: textOrNull(pidNamespace),
    host: textOrNull(host) ?? '',
    since: typeof since === 'string' && /^[\d:.TZ-]{10,30}$/.test(since) ? since : null,
  };
}

/**
 * Whether that process still runs, as far as `here` can see. The name of the host counts only where the boot does not
 * tell: it may change while the machine runs.
 */
export function standingOf(holder: Holder, here: Holder): Standing {
  if (holder.bootId !== here.bootId) {
    const isRestarted = holder.bootId !== null && here.bootId !== null && holder.host === here.host;
    return isRestarted ? 'dead' : 'unknown';
  }
  if (here.bootId === null && holder.host !== here.host) return 'unknown';
  if (holder.pidNamespace !== here.pidNamespace) return 'unknown';
  if (!exists(holder.pid)) return 'dead';
  const stat = statOf(holder.pid);
  if (stat === undefined) return 'unknown';
  if (stat.state === 'Z' || stat.state === 'X') return 'dead';
  if (holder.startTime === null) return 'unknown';
  return stat.startTime === holder.startTime ? 'alive' : 'dead';
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return true;
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * undefined where the system does not say it: no /proc, one that hides the processes of others, or one of another pid
 * namespace, where the number names a stranger.
 */
function statOf(pid: number): { state: string; startTime: string } | undefined {
  if (unlessMissing(() => fs.readlinkSync('/proc/self')) !== String(process.pid)) return undefined;
  const line = unlessMissing(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (line === null) return undefined;
  // The second field is the program's name and may hold anything; fields 3 and 22 are behind its last bracket.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state = '', startTime = ''] = [fields[0], fields[19]];
  return { state, startTime };
}

function unlessMissing(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR'].includes(code)) return null;
    throw error;
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
