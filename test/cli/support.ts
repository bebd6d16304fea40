/** Starts the command as people do: the bundle, in a folder of its own, with an environment that holds no key. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { PAWL } from '../helpers/programs.ts';
import { callPawl, type Finished } from './called.ts';

export type { Finished };

/** Whether the process lives; one that only waits to be reaped does not. */
export const runs = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

const zod = pathToFileURL(path.resolve(import.meta.dirname, '../../node_modules/zod/index.js')).href;

/** The text of a tool module with one reading tool named "mine". @param fields more of its fields, `run` among them */
export const toolModule = (fields: string): string =>
  `import { z } from '${zod}';
   export default [{ name: 'mine', description: 'Is mine.', input: z.strictObject({}), effect: 'read', ${fields} }];`;

export const CLI = PAWL;

/**
 * Commands run unconfined where a test does not say otherwise: it is about something else, and not every machine has a
 * sandbox. The tests of that are in sandbox.test.ts.
 */
const unconfined = (words: readonly string[]): readonly string[] => {
  const [command = '', ...args] = words;
  const isMeant = ['run', 'resume', 'crashtest'].includes(command) && !args.includes('--sandbox');
  return isMeant ? [command, '--sandbox', 'off', ...args] : words;
};

/** The same for a command line of bash. */
const DEFINE_PAWL = `pawl() {
  case "$1" in run | resume | crashtest) set -- "$1" --sandbox off "\${@:2}" ;; esac
  "${process.execPath}" "${CLI}" "$@"
}`;

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

export class Place {
  readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-cli-')));
  readonly folder = path.join(this.base, 'work');
  readonly home = path.join(this.base, 'home');

  constructor() {
    mkdirSync(this.folder);
    mkdirSync(this.home);
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** Objects are written as JSON. */
  write(name: string, content: string | object): string {
    writeFileSync(this.file(name), typeof content === 'string' ? content : JSON.stringify(content));
    return this.file(name);
  }

  read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  /** Everything in the work folder and at home. */
  get files(): readonly string[] {
    return readdirSync(this.base, { recursive: true, encoding: 'utf8' }).sort();
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.home, PAWL_HOME: path.join(this.home, 'pawl') };
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}, input: 'ignore' | 'pipe' = 'ignore'): Started {
    return this.#spawn(process.execPath, [CLI, ...unconfined(args)], env, input);
  }

  /** In this process: see called.ts. */
  pawl(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    return callPawl(CLI, unconfined(args), this.folder, { ...this.env, ...env });
  }

  /** The same through bash, for pipes and redirections: `pawl` stands for the command. */
  shell(command: string, env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    return this.#spawn('bash', ['-c', `${DEFINE_PAWL}\n${command}`], env, 'ignore').finished;
  }

  #spawn(
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    input: 'ignore' | 'pipe',
  ): Started {
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...this.env, ...env },
      stdio: [input, 'pipe', 'pipe'],
    });
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
    const finished = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(
      ([code, stdout, stderr]) => ({ code, stdout, stderr }),
    );
    return { child, finished };
  }

  /**
   * On a terminal of its own. Each step waits for a text on the screen, then types. Answers with all that was shown.
   * @param columns 0: the terminal does not say how wide it is
   */
  async terminal(
    args: readonly string[],
    steps: readonly (readonly [seen: string, typed: string])[],
    columns = 0,
    env: NodeJS.ProcessEnv = {},
  ) {
    const command = [process.execPath, CLI, ...unconfined(args)];
    const driver = ['-c', PTY_DRIVER, JSON.stringify(steps), String(columns), ...command];
    const variables = { TERM: 'xterm', ...env };
    const { code, stdout, stderr } = await this.#spawn('python3', driver, variables, 'ignore').finished;
    return { code, shown: stdout, stderr };
  }

  /** On a terminal that is closed as soon as the file has a content. Answers with the command's exit code, or minus its signal. */
  async hangUp(args: readonly string[], file: string): Promise<number> {
    const driver = ['-c', HANGUP_DRIVER, this.file(file), process.execPath, CLI, ...unconfined(args)];
    const { stdout, stderr } = await this.#spawn('python3', driver, { TERM: 'xterm' }, 'ignore').finished;
    if (stderr !== '') throw new Error(stderr);
    return Number(stdout);
  }

  async until(holds: () => boolean): Promise<void> {
    const deadline = Date.now() + 50_000;
    while (!holds()) {
      if (Date.now() > deadline) throw new Error('waited in vain');
      await wait(20);
    }
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Leaves with the command's exit code. */
const PTY_DRIVER = `
import fcntl, json, os, pty, struct, sys, termios
steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 0, int(sys.argv[2]), 0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])
shown, seen = b"", 0
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    while steps and steps[0][0].encode() in shown[seen:]:
        text, typed = steps.pop(0)
        seen = shown.index(text.encode(), seen) + len(text.encode())
        os.write(terminal, typed.encode())
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

const HANGUP_DRIVER = `
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
while not (os.path.exists(sys.argv[1]) and os.path.getsize(sys.argv[1])):
    time.sleep(0.02)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
