/** Standard output is for the answer alone, and what was written to it must arrive whole. */
import { Console } from 'node:console';

const { stdout, stderr } = process;

/** From before anybody could change it. */
const write = stdout.write.bind(stdout);

export interface Output {
  readonly isTTY: boolean;
  write(text: string): boolean;
}

export const standardOutput: Output = { isTTY: stdout.isTTY === true, write: (text) => write(text) };

/** Tool modules, scripts and libraries may print: from here on it goes to standard error, whichever way they do. */
export function keepForAnswer(): void {
  globalThis.console = new Console(stderr, stderr);
  stdout.write = stderr.write.bind(stderr);
}

/**
 * A reader that has seen enough (`| head`) is no error. What else keeps the answer from being written is one, told
 * once; where the same happens to standard error, there is no place left to tell it.
 * @param onLoss gets the first error
 */
export function watchOutputs(onLoss: (error: Error) => void): void {
  let isLost = false;
  stderr.on('error', () => {});
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost || error.code === 'EPIPE') return;
    isLost = true;
    onLoss(error);
  });
}

/** Resolves when the readers have taken all that was written, or cannot take it any more. */
export async function flushed(): Promise<void> {
  await Promise.all([
    new Promise<void>((resolve) => write('', () => resolve())),
    new Promise<void>((resolve) => stderr.write('', () => resolve())),
  ]);
}
