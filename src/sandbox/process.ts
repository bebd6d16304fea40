/**
 * Programs as plain child processes, unconfined. execa starts them; ending them is done here, because execa's own
 * time limit kills one process only and then waits until the last grandchild lets go of the output.
 */
import { randomUUID } from 'node:crypto';
import { finished, type Readable } from 'node:stream';
import { execa } from 'execa';
import { headAndTail } from './collector.ts';
import { childEnvironment } from './environment.ts';
import { holdTree, killTree, type ProcessTree } from './groups.ts';
import type { ProcessRequest, ProcessResult, Sandbox } from './sandbox.ts';

type End = ProcessResult['end'];

/** How long the output may go on after everything was killed: only a process that was not found still writes. */
const OUTPUT_GRACE_MS = 250;

/** A longer delay overflows and fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Names the call in the environment of all that it starts, by which what left its group is found and killed. */
const MARK = 'PAWL_CALL';

/** @param options.environment where the children's variables are taken from; they see a part of it. */
export function localSandbox(
  options: { readonly environment?: Readonly<Record<string, string | undefined>> } = {},
): Sandbox {
  const environment = options.environment ?? process.env;
  const variables = childEnvironment(environment);
  // pawl may itself be run by a call. What its own calls start belongs to that one as well.
  const enclosing = environment[MARK] === undefined ? '' : `${environment[MARK]} `;
  return {
    async run(request) {
      if (request.signal.aborted) return withoutOutput({ kind: 'aborted' });
      if ([request.command, request.cwd, ...request.args].some((word) => word.includes('\0')))
        return notStarted('an argument contains a NUL character');
      const mark = randomUUID();
      const child = start(request, { ...variables, [MARK]: enclosing + mark });
      // Without a pid there is no process, and the result tells why.
      if (child.pid === undefined) return notStarted(reasonOf(await child, request));
      return follow(child, { leader: child.pid, mark }, request);
    },
  };
}

type Child = ReturnType<typeof start>;

function start({ command, args, cwd }: ProcessRequest, env: Record<string, string>) {
  return execa(command, args, {
    cwd,
    env,
    extendEnv: false,
    // A group and a session of its own, so that whatever it starts can be killed with it.
    detached: true,
    // Closed: a program that asks a question gets no answer instead of waiting for one.
    stdin: 'ignore',
    buffer: false,
    reject: false,
  });
}

/** Order: the end is known, all that is left is killed, what was written before is read, the pipes are let go. */
async function follow(child: Child, tree: ProcessTree, request: ProcessRequest): Promise<ProcessResult> {
  holdTree(tree);
  const stdout = collect(child.stdout, request.maxCharacters);
  const stderr = collect(child.stderr, request.maxCharacters);
  const exited = new Promise<End>((resolve) => {
    child.once('exit', (exitCode, signal) =>
      resolve(signal === null ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'signalled', signal }),
    );
  });
  const end = await firstOf(exited, request);
  killTree(tree);
  await Promise.race([Promise.all([exited, stdout.ended, stderr.ended]), grace()]);
  child.stdout.destroy();
  child.stderr.destroy();
  return { end, stdout: stdout.finish(), stderr: stderr.finish() };
}

/** Reading never stops, so a process that prints too much is not held up and memory does not grow. */
function collect(stream: Readable, maxCharacters: number) {
  const collector = headAndTail(maxCharacters);
  stream.on('data', (chunk: Uint8Array) => collector.write(chunk));
  // A pipe that breaks has said all that it will say, like one that ends.
  const ended = new Promise<void>((resolve) => finished(stream, () => resolve()));
  return { ended, finish: collector.finish };
}

/** How it ends: by itself, at the deadline or by an abort. The first one counts. */
function firstOf(exited: Promise<End>, { timeoutMs, signal }: ProcessRequest): Promise<End> {
  return new Promise((resolve) => {
    const settle = (end: End): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(end);
    };
    const abort = (): void => settle({ kind: 'aborted' });
    const timer = setTimeout(() => settle({ kind: 'timed out' }), Math.min(timeoutMs, MAX_TIMER_MS));
    signal.addEventListener('abort', abort, { once: true });
    void exited.then(settle);
  });
}

const grace = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, OUTPUT_GRACE_MS).unref();
  });

const NOTHING = { text: '', omitted: 0, bytes: 0 };

const withoutOutput = (end: End): ProcessResult => ({ end, stdout: NOTHING, stderr: NOTHING });

const notStarted = (reason: string): ProcessResult => withoutOutput({ kind: 'not started', reason });

function reasonOf(
  failure: { readonly code?: string | undefined; readonly originalMessage?: string | undefined },
  { command, cwd }: ProcessRequest,
): string {
  const message = failure.originalMessage?.split('\n')[0] ?? 'unknown reason';
  if (message.includes('"cwd"')) return `the working folder ${cwd} does not exist or is not a folder`;
  switch (failure.code) {
    case 'ENOENT':
      return `there is no program ${command}, or the interpreter that it names is missing`;
    case 'EACCES':
      return `${command} is not an executable program`;
    case 'E2BIG':
      return 'the command is longer than the system allows; long text belongs in a file';
    default:
      return message;
  }
}
