import { runPath, stateFolder } from '../journal/location.ts';
import type { RunEvent } from '../outcome.ts';
import { printableLine } from './printable.ts';
import type { Reporter } from './reporter.ts';
import { brokenRecord, resultRecord, resumedRecord, startedRecord } from './result-record.ts';

interface Output {
  write(text: string): boolean;
}

const writeTo = (output: Output, document: object): void => {
  output.write(`${JSON.stringify(document)}\n`);
};

/** For scripts: one document at the end. The errors in it are also told to people, on standard error. */
export function jsonReporter(output: Output, errorOutput: Output, resumedRun?: string): Reporter {
  let runId = resumedRun ?? null;
  return {
    event(event) {
      if (event.type === 'notice') errorOutput.write(`pawl: ${printableLine(event.text)}\n`);
      if (event.type === 'record' && event.record.type === 'run.started') runId = event.record.runId;
    },
    say: (line) => void errorOutput.write(`${line}\n`),
    end(outcome) {
      writeTo(output, resultRecord(outcome));
      for (const error of outcome.errors) errorOutput.write(`pawl: ${printableLine(error)}\n`);
    },
    broken: (status, exitCode, error, facts) =>
      writeTo(output, brokenRecord({ status, runId, ...facts }, exitCode, error)),
  };
}

interface StreamOptions {
  readonly isEphemeral: boolean;
  /** With the pieces of text as they come. */
  readonly isStreamed: boolean;
  readonly resumedRun: string | undefined;
}

/** For programs that follow a run: a document a line, `run.started` or `run.resumed` first, `result` last. */
export function streamReporter(output: Output, errorOutput: Output, how: StreamOptions): Reporter {
  const last = jsonReporter(output, errorOutput, how.resumedRun);
  return {
    ...last,
    event(event) {
      last.event(event);
      const line = lineOf(event, how);
      if (line !== undefined) writeTo(output, line);
    },
  };
}

/** Pieces of text are left out unless they are asked for: the record of the reply has it whole, and only if it counts. */
function lineOf(
  event: RunEvent,
  { isEphemeral, isStreamed, resumedRun = '' }: StreamOptions,
): object | undefined {
  if (event.type === 'transition' || event.type === 'notice') return event;
  if (event.type !== 'record') return isStreamed ? event : undefined;
  const { record } = event;
  if (record.type === 'run.resumed')
    return resumedRecord(record, resumedRun, runPath(stateFolder(), resumedRun));
  if (record.type !== 'run.started') return event;
  return startedRecord(record, isEphemeral ? 'memory' : runPath(stateFolder(), record.runId));
}
