/** Runs the tests of the workspace, and nothing else: it takes no arguments, so there is nothing to choose. */
import { z } from 'zod';

const TIMEOUT_MS = 60_000;
const DURATION = /^(Ran \d+ tests?) in [\d.]+s$/m;

const runTests = {
  name: 'run_tests',
  description: 'Runs all tests of the workspace and returns what they print. Takes an empty object.',
  input: z.strictObject({}),
  effect: 'idempotent',
  // What it runs may have been written by the model a moment ago.
  runsCommands: true,
  async run(_input, { workspace, sandbox, signal }) {
    const { end, stdout, stderr } = await sandbox.run({
      command: 'python3',
      args: ['-B', '-m', 'unittest'],
      cwd: workspace,
      timeoutMs: TIMEOUT_MS,
      maxCharacters: 8_000,
      signal,
    });
    // Without the time, equal failures are equal, and a loop that goes round in circles is noticed.
    const printed = (stdout.text + stderr.text).replace(DURATION, '$1');
    if (end.kind === 'exited' && end.exitCode === 0) return printed;
    const how = end.kind === 'exited' ? 'The tests fail' : `The tests did not come to their end: ${end.kind}`;
    return { content: `${how}. Find the cause in what they print:\n${printed}`, isError: true };
  },
};

export default [runTests];
