/**
 * Programs as plain child processes, unconfined unless a wrapper confines them. execa starts them; ending them is done
 * here, because execa's own time limit kills one process only and then waits until the last grandchild lets go of the
 * output.
 */
import { randomUUID } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { execa } from 'execa';
import { headAndTail } from './collector.ts';
import { childEnvironment } from './environment.ts';
import { forgetTree, holdTree, killTree, type ProcessTree } from './groups.ts';
import type { ProcessRequest, ProcessResult, Sandbox } from './sandbox.ts';

type End = ProcessResult['end'];

/** How long the output may go on after everything was killed: only a process that was not found still writes. */
const OUTPUT_GRACE_MS = 250;

/** A wrapper says in a line or two what came of the program. */
const MOST_REPORTED_CHARACTERS = 4_000;

/** A longer delay overflows and fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Names the call in the environment of all that it starts, by which what left its group is found and killed. */
const MARK = 'PAWL_CALL';

/** Starts another program, which starts the one that was asked for. */
export interface Wrapper {
  /** A text is the reason why the program cannot be started. */
  wrap(request: ProcessRequest): Wrapped | string | Promise<Wrapped | string>;
  /** What the end of the wrapper says about the program. @param report what the wrapper wrote to descriptor 3 */
  unwrap(result: ProcessResult, report: string): ProcessResult;
  /** Whether nothing that it has started is there any more once it has exited by itself. */
  readonly isContaining: boolean;
  /** Variables that are other ones behind the wrapper. */
  readonly variables: Readonly<Record<string, string>>;
}

interface Wrapped extends Program {
  /** Called when the call has ended, however it did. @param report as for unwrap; undefined where nothing was started */
  readonly release?: (report: string | undefined) => Promise<void>;
}

type Program = Pick<ProcessRequest, 'command' | 'args'>;

/** @param options.environment where the children's variables are taken from; they see a part of it. */
export function localSandbox(
  options: {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly wrapper?: Wrapper;
  } = {},
): Sandbox {
  const environment = options.environment ?? process.env;
  const { wrapper } = options;
  const variables = { ...childEnvironment(environment), ...wrapper?.variables };
  // pawl may itself be run by a call. What its own calls start belongs to that one as well.
  const enclosing = environment[MARK] === undefined ? '' : `${environment[MARK]} `;
  const attempt = async (program: Program, request: ProcessRequest): Promise<Attempted> => {
    if (request.signal.aborted) return { result: withoutOutput({ kind: 'aborted' }) };
    const mark = randomUUID();
    const child = start(program, request, { ...variables, [MARK]: enclosing + mark }, wrapper);
    // Without a pid there is no process, and the result tells why.
    if (child.pid === undefined)
      return {
        result: notStarted(reasonOf(await child, { command: program.command, cwd: request.cwd })),
      };
    return follow(child, { leader: child.pid, mark }, request, wrapper?.isContaining);
  };
  return {
    async run(request) {
      if ([request.command, request.cwd, ...request.args].some((word) => word.includes('\0')))
        return notStarted('an argument contains a NUL character');
      const program = await wrapper?.wrap(request);
      if (typeof program === 'string') return notStarted(program);
      const { result, report } = await attempt(program ?? request, request);
      await program?.release?.(report);
      return wrapper === undefined || report === undefined ? result : wrapper.unwrap(result, report);
    },
  };
}

interface Attempted {
  readonly result: ProcessResult;
  /** Absent where nothing was started. */
  readonly report?: string;
}

type Child = ReturnType<typeof start>;

function start(
  { command, args }: Program,
  { cwd, input }: Pick<ProcessRequest, 'cwd' | 'input'>,
  env: Record<string, string>,
  wrapper?: Wrapper,
) {
  return execa(command, args, {
    cwd,
    env,
    extendEnv: false,
    // A group and a session of its own, so that whatever it starts can be killed with it.
    detached: true,
    // Input is closed: a program that asks a question gets no answer instead of waiting for one.
    ...(input !== undefined && { input }),
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      ...(wrapper === undefined ? [] : ['pipe' as const]),
    ],
    buffer: false,
    reject: false,
  });
}

/** Order: the end is known, all that is left is killed, what was written before is read, the pipes are let go. */
async function follow(child: Child, tree: ProcessTree, request: ProcessRequest, isContained = false) {
  holdTree(tree);
  const { stdout: output, stderr: errorOutput } = child;
  const reports: unknown = child.stdio[3];
  const stdout = collect(output, request.maxCharacters);
  const stderr = collect(errorOutput, request.maxCharacters);
  const report = reports instanceof Readable ? collect(reports, MOST_REPORTED_CHARACTERS) : undefined;
  const exited = new Promise<End>((resolve) => {
    child.once('exit', (exitCode, signal) =>
      resolve(signal === null ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'signalled', signal }),
    );
  });
  const end = await firstOf(exited, request);
  // Looking through all processes of the system takes longer than all the rest.
  if (isContained && end.kind === 'exited') forgetTree(tree);
  else killTree(tree);
  await Promise.race([Promise.all([exited, stdout.ended, stderr.ended, report?.ended]), grace()]);
  for (const stream of [output, errorOutput, reports]) if (stream instanceof Readable) stream.destroy();
  return {
    result: { end, stdout: stdout.finish(), stderr: stderr.finish() },
    report: report?.finish().text ?? '',
  };
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

export const notStarted = (reason: string): ProcessResult => withoutOutput({ kind: 'not started', reason });

function reasonOf(
  failure: { readonly code?: string | undefined; readonly originalMessage?: string | undefined },
  { command, cwd }: Pick<ProcessRequest, 'command' | 'cwd'>,
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
