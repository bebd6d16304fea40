/**
 * Calls the command in this process: the bundle, without the time that a process takes to start. Folder, environment,
 * standard input and both outputs are those of the call, one call after the other. What is about the process itself
 * (signals, pipes, leaving) starts one, and so does what loads a module that was changed: a process loads it once.
 */
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Stands where an output of the process is, and keeps what is written, as a pipe that is read to its end. */
class Kept extends Writable {
  #pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  take(): string {
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    return text;
  }
}

type Main = (argv: readonly string[]) => Promise<number>;

const outputs = { stdout: new Kept(), stderr: new Kept() };
let loaded: Promise<Main> | undefined;
let last: Promise<unknown> = Promise.resolve();

export function callPawl(
  file: string,
  words: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Finished> {
  const call = last.then(() => called(file, words, folder, env));
  last = call.catch(() => {});
  return call;
}

async function called(
  file: string,
  words: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Finished> {
  const restore = [inFolder(folder), withEnvironment(env), withStreams()];
  try {
    loaded ??= import(/* @vite-ignore */ pathToFileURL(file).href).then((bundle) => bundle.main);
    const main = await loaded;
    const code = await main(words);
    return { code, stdout: outputs.stdout.take(), stderr: outputs.stderr.take() };
  } finally {
    for (const undo of restore.reverse()) undo();
    for (const output of Object.values(outputs)) output.take();
  }
}

function inFolder(folder: string): () => void {
  const before = process.cwd();
  process.chdir(folder);
  return () => process.chdir(before);
}

function withEnvironment(env: NodeJS.ProcessEnv): () => void {
  const before = { ...process.env };
  const set = (wanted: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
  };
  set(env);
  return () => set(before);
}

function withStreams(): () => void {
  const { console } = globalThis;
  const before = Object.entries(Object.getOwnPropertyDescriptors(process)).filter(([name]) =>
    ['stdin', 'stdout', 'stderr'].includes(name),
  );
  for (const [name, value] of Object.entries({ stdin: Readable.from([]), ...outputs }))
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
  return () => {
    for (const [name, descriptor] of before) Object.defineProperty(process, name, descriptor);
    globalThis.console = console;
    // The command keeps standard output for the answer by another `write`.
    Reflect.deleteProperty(outputs.stdout, 'write');
  };
}
