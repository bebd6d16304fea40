import { text } from 'node:stream/consumers';
import { UsageError } from './usage-error.ts';

/** The task from the words of the command line, or from standard input where the only word is "-". */
export async function readTask(words: readonly string[], input: NodeJS.ReadableStream): Promise<string> {
  const fromInput = words.length === 1 && words[0] === '-';
  const task = fromInput ? (await text(input)).trimEnd() : words.join(' ');
  if (task.trim() !== '') return task;
  throw new UsageError(
    fromInput
      ? 'The task is empty: nothing but blanks came from standard input. Pipe a text into pawl run -'
      : 'The task is empty. Say what is to be done: pawl run "task", or pawl run - to read it from standard input.',
  );
}
