/** Starts processes in the folder given, and exits with code 7 as soon as they run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { localSandbox } from '../../../src/sandbox/process.ts';

const cwd = process.argv[2] ?? '';
void localSandbox().run({
  command: 'bash',
  args: ['-c', 'echo $$ > leader; sleep 60 & echo $! > child.new; mv child.new child; wait'],
  cwd,
  timeoutMs: 60_000,
  maxCharacters: 100,
  signal: new AbortController().signal,
});
setInterval(() => existsSync(join(cwd, 'child')) && process.exit(7), 20);
