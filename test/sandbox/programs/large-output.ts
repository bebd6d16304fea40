/** Runs a command that prints 200 MB in one line, and prints what came of it and how much memory that took (in KB). */
import { localSandbox } from '../../../src/sandbox/process.ts';

const idle = process.resourceUsage().maxRSS;
const { stdout } = await localSandbox().run({
  command: 'bash',
  args: ['-c', "printf BEGIN; head -c 200000000 /dev/zero | tr '\\0' z; printf END"],
  cwd: '/',
  timeoutMs: 60_000,
  maxCharacters: 50_000,
  signal: new AbortController().signal,
});
const grownKb = process.resourceUsage().maxRSS - idle;
const { text, omitted, bytes } = stdout;
console.log(
  JSON.stringify({ grownKb, omitted, bytes, length: text.length, ends: text.slice(0, 6) + text.slice(-4) }),
);
