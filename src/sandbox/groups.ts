/**
 * The process groups that pawl has started and not yet ended. A group is named by the pid of its leader, which is
 * also the leader of a session of its own. When pawl exits, all of them are killed; nothing can be done where pawl
 * itself is killed with SIGKILL.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** Groups and single processes; empty: all is killed. */
interface Survivors {
  readonly groups: ReadonlySet<number>;
  readonly strays: ReadonlySet<number>;
}

/** A started call. `mark`: a text that nothing else has, in the environment of all that belongs to it. */
export interface ProcessTree {
  readonly leader: number;
  readonly mark: string;
}

/** When each tree began, in ticks since the boot; undefined without /proc. */
const live = new Map<ProcessTree, number | undefined>();
let isWatchingExit = false;

/** From here on the processes end with pawl at the latest. Call right after the start. */
export function holdTree(tree: ProcessTree): void {
  live.set(tree, readStatus(tree.leader)?.startedAt);
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.on('exit', () => {
    for (const each of live.keys()) killTree(each);
  });
}

/** For a tree of which nothing is left. */
export function forgetTree(tree: ProcessTree): void {
  live.delete(tree);
}

/**
 * Kills the leader, its group and every other group of its session: `timeout` and shells with job control give their
 * children a group of their own. On Linux also each process that has begun a session of its own, as daemons do: it is
 * known by its environment. Out of reach stay a process that has both left the session and cleared its environment,
 * and on other systems each one that has left the group.
 * To be called at once when the leader has exited: later its pid may belong to somebody else.
 */
export function killTree(tree: ProcessTree): void {
  const startedAt = live.get(tree);
  live.delete(tree);
  kill(-tree.leader);
  // A member may have forked while the list was read, so it is read until nobody is left; a few times are enough.
  for (let pass = 0; pass < 5; pass += 1) {
    const { groups, strays } = survivorsOf(tree, startedAt);
    if (groups.size === 0 && strays.size === 0) return;
    for (const group of groups) kill(-group);
    for (const stray of strays) kill(stray);
  }
}

/** @param target a pid, or a group as a negative number */
function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch (error) {
    // ESRCH: already gone. EPERM: macOS says so of a group that only waits to be reaped; and a program with more rights.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Without /proc (macOS) nobody tells: the leader's own group has to do. */
function survivorsOf({ leader, mark }: ProcessTree, startedAt = 0): Survivors {
  const groups = new Set<number>();
  const strays = new Set<number>();
  for (const pid of processes()) {
    const status = readStatus(pid);
    if (status === undefined || status.isDead) continue;
    if (status.session === leader) groups.add(status.group);
    // Who is older than the leader cannot descend from it, which spares reading most environments.
    else if (status.startedAt >= startedAt && pid !== process.pid && isMarked(pid, mark)) strays.add(pid);
  }
  return { groups, strays };
}

const processes = (): number[] =>
  existsSync('/proc/self/stat') ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    // It has ended, or it is somebody else's.
    return false;
  }
}

/** Whether nothing runs under this pid any more; one that waits to be reaped does not. */
export function isGone(pid: number): boolean {
  if (readStatus(pid)?.isDead) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

interface Status {
  readonly isDead: boolean;
  readonly group: number;
  readonly session: number;
  readonly startedAt: number;
}

function readStatus(pid: number): Status | undefined {
  try {
    const line = readLine(`/proc/${pid}/stat`);
    // The second field is the program's name in brackets, with any characters in it. The ones behind it begin with 3.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [state = '', , group, session] = fields;
    return {
      isDead: 'ZX'.includes(state),
      group: Number(group),
      session: Number(session),
      startedAt: Number(fields[22 - 3]),
    };
  } catch {
    // It ended between the listing and the reading, or there is no /proc.
    return undefined;
  }
}

const lineBuffer = Buffer.alloc(4_096);

/** Half the time of `readFileSync`, and there is one for each process of the system. */
function readLine(path: string): string {
  const file = openSync(path, 'r');
  try {
    return lineBuffer.toString('latin1', 0, readSync(file, lineBuffer));
  } finally {
    closeSync(file);
  }
}
