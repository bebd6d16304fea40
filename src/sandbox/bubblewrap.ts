/**
 * Confinement on Linux: bwrap builds a small file system out of what a program needs, in namespaces of its own, and
 * starts the program there. Nothing is taken away from a view of everything; what is not named is not there.
 */
import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGone } from './groups.ts';
import { mountArguments, workspaceMounts } from './mounts.ts';
import { localSandbox, notStarted, type Wrapper } from './process.ts';
import type { ProcessResult, Sandbox } from './sandbox.ts';
import { systemMounts } from './system-mounts.ts';
import { isWithin, type View } from './view.ts';

const NAMESPACES = [
  // User, ipc, pid, net, uts, cgroup: the first and the last where the system has them.
  '--unshare-all',
  '--hostname',
  'sandbox',
  // No way back to a terminal, and an end with pawl at the latest, also where that is killed.
  '--new-session',
  '--die-with-parent',
  // Who starts it as root has rights over its mounts otherwise.
  '--cap-drop',
  'ALL',
  // Tells whether the program was started at all.
  '--json-status-fd',
  '3',
];

export function bubblewrapSandbox(view: View): Sandbox {
  return localSandbox({ environment: view.environment, wrapper: bubblewrap(view) });
}

function bubblewrap(view: View): Wrapper {
  const { workspace, environment, network } = view;
  const program = findProgram('bwrap', environment.PATH ?? '', workspace);
  const fixed = systemMounts(view);
  const withheld = `${network ? '' : 'there is no network, '}only the workspace is kept, and of other folders only those of the system and of toolchains are there`;
  return {
    // The end of a pid namespace's first process is the end of all in it.
    isContaining: true,
    variables: { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp' },
    wrap({ command, args, cwd, visible = [] }) {
      const inside = workspaceMounts(view, visible);
      if (typeof inside === 'string') return inside;
      const namespaces = network ? [...NAMESPACES, '--share-net'] : NAMESPACES;
      const seen = mountArguments([...fixed, ...inside.mounts]);
      return {
        command: program,
        args: [...namespaces, ...seen, '--chdir', cwd, '--', command, ...args],
        release: async (report) => {
          if (await isOver(report)) inside.leave();
        },
      };
    },
    unwrap: (result, report) => ({ ...translated(result, report), withheld }),
  };
}

const LONGEST_DYING_MS = 500;
const DYING_POLL_MS = 5;

/**
 * bwrap may end a moment before what it has started. The first process of the namespace is gone, or waits to be reaped, only
 * after all others are.
 */
async function isOver(report = ''): Promise<boolean> {
  const [, first] = /"child-pid": *(\d+)/.exec(report) ?? [];
  // Nothing was started.
  if (first === undefined) return true;
  for (let waitedMs = 0; waitedMs < LONGEST_DYING_MS; waitedMs += DYING_POLL_MS) {
    if (isGone(Number(first))) return true;
    await sleep(DYING_POLL_MS);
  }
  return false;
}

/** Not one that lies in the workspace: the model could have written it. Where there is none, the start fails and says so. */
function findProgram(name: string, searched: string, workspace: string): string {
  const folders = searched.split(path.delimiter).filter((one) => path.isAbsolute(one));
  const files = folders.map((folder) => path.join(folder, name));
  return files.find((file) => !isWithin(workspace, file) && isExecutable(file)) ?? name;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Signals of crashes and kills, by number. Others are exit codes that programs choose themselves: 129 is a usage error of git's. */
const DEADLY = new Map(
  (
    ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGSYS'] as const
  ).map((name) => [os.constants.signals[name], name]),
);

/** bwrap tells a death by a signal as shells do, by 128 and its number. Its own failures come without a status. */
function translated(result: ProcessResult, report: string): ProcessResult {
  const { end, stderr } = result;
  if (end.kind !== 'exited') return result;
  if (!report.includes('"exit-code"')) return notStarted(reasonIn(stderr.text));
  const signal = DEADLY.get(end.exitCode - 128);
  return signal === undefined ? result : { ...result, end: { kind: 'signalled', signal } };
}

function reasonIn(said: string): string {
  const message = said.trim().replace(/^bwrap: /, '');
  const [, program = '', why = ''] = /^execvp ([\s\S]*): ([^:]+)$/.exec(message) ?? [];
  if (why.startsWith('No such file'))
    return `there is no program ${program} in the sandbox, or the interpreter that it names is missing`;
  if (message.startsWith("Can't chdir to "))
    return `the working folder ${message.slice("Can't chdir to ".length)} in the sandbox`;
  if (why.startsWith('Permission denied')) return `${program} is not an executable program`;
  return `the sandbox could not be set up (${message || 'bwrap did not say why'})`;
}
