/** Starts processes in the folder given, and exits with code 7 as soon as they run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { localSandbox } from '../../../src/sandbox/process.ts';

/** For a session of its own, where there is the program for it. */
const leave = process.platform === 'linux' ? "setsid sh -c 'echo $$ > stray; sleep 60' &" : 'echo 0 > stray;';
const cwd = process.argv[2] ?? '';
void localSandbox().run({
  command: 'bash',
  args: [
    '-c',
    `echo $$ > leader; ${leave} while [ ! -s stray ]; do sleep 0.02; done; sleep 60 & echo $! > child.new; mv child.new child; wait`,
  ],
  cwd,
  timeoutMs: 60_000,
  maxCharacters: 100,
  signal: new AbortController().signal,
});
setInterval(() => existsSync(join(cwd, 'child')) && process.exit(7), 20);
