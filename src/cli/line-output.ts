/** Few enough to be on their way at once, many enough to cost nothing. */
const LINES_AT_ONCE = 256;

interface LineOutput {
  write(text: string, done: (error?: Error | null) => void): boolean;
}

/**
 * Writes lines as fast as they are taken, and makes no more of them once nobody reads: a reader that has seen enough
 * (`| head`) is no error.
 */
export async function writeLines(
  lines: Iterable<string>,
  output: LineOutput = process.stdout,
): Promise<void> {
  let batch: string[] = [];
  const flush = () =>
    new Promise<boolean>((resolve) => {
      const text = batch.map((line) => `${line}\n`).join('');
      batch = [];
      output.write(text, (error) => resolve(!error));
    });
  for (const line of lines) {
    batch.push(line);
    if (batch.length >= LINES_AT_ONCE && !(await flush())) return;
  }
  await flush();
}
