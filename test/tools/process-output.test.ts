import { describe, expect, it } from 'vitest';
import type { ProcessResult } from '../../src/sandbox/sandbox.ts';
import { processOutput } from '../../src/tools/process-output.ts';

const captured = (text: string) => ({ text, omitted: 0, bytes: Buffer.byteLength(text) });
const output = (end: ProcessResult['end'], stdout = '', stderr = '') =>
  processOutput({ end, stdout: captured(stdout), stderr: captured(stderr) }, 3_000);

describe('processOutput', () => {
  it.each([
    ['both outputs', 'out\n', 'err\n', 'exit_code=0\nout\n[stderr]\nerr\n'],
    ['outputs without line ends', 'out', 'err', 'exit_code=0\nout\n[stderr]\nerr'],
    ['standard output alone', 'out', '', 'exit_code=0\nout'],
    ['standard error alone', '', 'err', 'exit_code=0\n[stderr]\nerr'],
    ['no output', '', '', 'exit_code=0\n(no output)'],
  ])('leads with the exit code, then gives %s', (_, stdout, stderr, content) => {
    expect(output({ kind: 'exited', exitCode: 0 }, stdout, stderr)).toEqual({ content, isError: false });
  });

  it.each<[string, ProcessResult['end'], RegExp]>([
    [
      'another exit code',
      { kind: 'exited', exitCode: 3 },
      /^exit_code=3\nsome\n\[stderr\]\nbad\n\[.*find the cause/,
    ],
    [
      'the deadline',
      { kind: 'timed out' },
      /^timed out after 3 s; .* killed\. Output so far:\nsome\n\[stderr\]\nbad\n\[Do less/,
    ],
    [
      'a signal',
      { kind: 'signalled', signal: 'SIGSEGV' },
      /^killed by signal SIGSEGV.*\nsome\n.*\nbad\n\[.*cause/,
    ],
    [
      'an abort',
      { kind: 'aborted' },
      /^cancelled by the person .* may be half done\. Output so far:\nsome\n.*\nbad\n\[Check/,
    ],
    [
      'a failed start',
      { kind: 'not started', reason: 'no program' },
      /^could not be started: no program\. Nothing was run\.\n.*\n.*\n.*\n\[Correct the call/,
    ],
  ])('calls %s an error, keeps the output and says what to do next', (_, end, expected) => {
    const { content, isError } = output(end, 'some', 'bad');
    expect(isError).toBe(true);
    expect(content).toMatch(expected);
  });
});
