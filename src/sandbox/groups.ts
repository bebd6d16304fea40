/**
 * The process groups that pawl has started and not yet ended. A group is named by the pid of its leader, which is
 * also the leader of a session of its own. When pawl exits, all of them are killed; nothing can be done where pawl
 * itself is killed with SIGKILL.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const live = new Set<number>();
let isWatchingExit = false;

/** From here on the group ends with pawl at the latest. Call right after the start. */
export function holdGroup(leader: number): void {
  live.add(leader);
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.on('exit', () => {
    for (const each of live) killGroup(each);
  });
}

/**
 * Kills the leader, its group and every other group of its session: `timeout` and shells with job control give their
 * children a group of their own. A process that has begun a session of its own has left and is not found.
 * To be called at once when the leader has exited: later its pid may belong to somebody else.
 */
export function killGroup(leader: number): void {
  live.delete(leader);
  kill(leader);
  // A member may have forked while the list was read, so it is read until nobody is left; a few times are enough.
  for (let pass = 0; pass < 5; pass += 1) {
    const groups = groupsOfSession(leader);
    if (groups.size === 0) return;
    for (const group of groups) kill(group);
  }
}

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    // ESRCH: already gone. EPERM: macOS says so of a group that only waits to be reaped.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Groups with a living member in the session. Without /proc (macOS) nobody tells: the leader's own group has to do. */
function groupsOfSession(session: number): Set<number> {
  const groups = new Set<number>();
  if (!existsSync('/proc/self/stat')) return groups;
  for (const name of readdirSync('/proc')) {
    const status = /^\d+$/.test(name) ? readStatus(name) : undefined;
    if (status?.session === session && !status.isDead) groups.add(status.group);
  }
  return groups;
}

function readStatus(pid: string): { isDead: boolean; group: number; session: number } | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets, with any characters in it.
    const [state = '', , group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { isDead: 'ZX'.includes(state), group: Number(group), session: Number(session) };
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
}
