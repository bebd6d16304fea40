import type { ProcessResult } from '../sandbox/sandbox.ts';
import { seconds } from './process-limits.ts';
import type { ToolOutput } from './tool.ts';

/** How the output of a program begins that there was none of. */
export const COULD_NOT_START = 'could not be started';

type Failure = Exclude<ProcessResult['end'], { kind: 'exited' }>;

/** What the model reads of a process: how it ended, what it printed, and after a failure what to do next. */
export function processOutput(result: ProcessResult, timeoutMs: number): Exclude<ToolOutput, string> {
  const { end } = result;
  if (end.kind !== 'exited') {
    const { lead, advice } = describe(end, timeoutMs);
    return { content: `${lead}\n${withLineEnd(printed(result))}[${advice}]`, isError: true };
  }
  const content = `exit_code=${end.exitCode}\n${printed(result)}`;
  if (end.exitCode === 0) return { content, isError: false };
  const withheld = result.withheld === undefined ? '' : ` It ran in a sandbox: ${result.withheld}.`;
  const advice = `The exit code is not 0: find the cause in the output above before the next step.${withheld}`;
  return { content: `${withLineEnd(content)}[${advice}]`, isError: true };
}

/** Standard output, then standard error under a heading of its own. */
function printed({ stdout, stderr }: ProcessResult): string {
  if (stdout.text === '' && stderr.text === '') return '(no output)';
  const errors = stderr.text === '' ? '' : `[stderr]\n${stderr.text}`;
  return errors === '' ? stdout.text : withLineEnd(stdout.text) + errors;
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function describe(end: Failure, timeoutMs: number): { lead: string; advice: string } {
  switch (end.kind) {
    case 'timed out':
      return {
        lead: `timed out after ${seconds(timeoutMs)}; the process, and what could be found of all that it started, was killed. Output so far:`,
        advice:
          'Do less in one call, or look for what waits or never ends. What was done until then stays done: check it before you repeat anything.',
      };
    case 'signalled':
      return {
        lead: `killed by signal ${end.signal}. Output so far:`,
        advice: 'It crashed, ran out of memory or killed itself. Find the cause before running it again.',
      };
    case 'aborted':
      return {
        lead: 'cancelled by the person or by a limit of the run; the process was killed, with what could be found of all that it started, and its work may be half done. Output so far:',
        advice: 'Check what was done before you repeat or build on it.',
      };
    case 'not started':
      return {
        lead: `${COULD_NOT_START}: ${end.reason}. Nothing was run.`,
        advice: 'Correct the call, or use another program or tool.',
      };
  }
}
