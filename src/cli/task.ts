import { text } from 'node:stream/consumers';
import { UsageError } from './usage-error.ts';

export const isFromInput = (words: readonly string[]): boolean => words.length === 1 && words[0] === '-';

/** The task as the words of the command line say it. */
export function taskOf(words: readonly string[]): string {
  const task = words.join(' ');
  if (task.trim() !== '') return task;
  throw new UsageError(
    'The task is empty. Say what is to be done: pawl run "task", or pawl run - to read it from standard input.',
  );
}

/** The whole of standard input as the task. */
export async function taskFrom(input: NodeJS.ReadableStream): Promise<string> {
  const task = (await text(input)).trimEnd();
  if (task.trim() !== '') return task;
  throw new UsageError(
    'The task is empty: nothing but blanks came from standard input. Pipe a text into pawl run -',
  );
}
