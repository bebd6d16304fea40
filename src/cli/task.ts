import { size } from './format.ts';
import { reasonOf } from './read-file.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

/** More than any model reads. */
const LONGEST_BYTES = 16_000_000;

export function isFromInput(words: readonly string[]): boolean {
  const [first, ...others] = words;
  if (first !== '-') return false;
  if (others.length === 0) return true;
  throw new UsageError(
    '"-" reads the task from standard input, so no other words can stand behind it. Put all of the task there.',
  );
}

/** The task as the words of the command line say it. */
export function taskOf(words: readonly string[]): string {
  const task = words.join(' ');
  if (task.trim() !== '') return task;
  throw new UsageError(
    `The task is empty. Say what is to be done: ${typed('run')} "task", or ${typed('run')} - to read it from standard input.`,
  );
}

/** The whole of standard input as the task. */
export async function taskFrom(input: AsyncIterable<string | Uint8Array>): Promise<string> {
  const task = (await readAll(input)).trimEnd();
  if (task.trim() !== '') return task;
  throw new UsageError(
    `The task is empty: nothing but blanks came from standard input. Pipe a text into ${typed('run')} -`,
  );
}

async function readAll(input: AsyncIterable<string | Uint8Array>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of input) {
      pieces.push(Buffer.from(piece));
      bytes += piece.length;
      if (bytes > LONGEST_BYTES) break;
    }
  } catch (error) {
    throw new UsageError(
      `Standard input cannot be read: ${reasonOf(error)}. Pipe a text into ${typed('run')} -`,
    );
  }
  if (bytes > LONGEST_BYTES)
    throw new UsageError(
      `The task is too long: more than ${size(LONGEST_BYTES)} came from standard input. Put it into a file and name that in the task.`,
    );
  return new TextDecoder().decode(Buffer.concat(pieces));
}
