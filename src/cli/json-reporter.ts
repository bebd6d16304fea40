import { runPath, stateFolder } from '../journal/location.ts';
import type { RunEvent } from '../outcome.ts';
import { printableLine } from './printable.ts';
import type { Reporter } from './reporter.ts';
import { brokenRecord, resultRecord, streamedRecord } from './result-record.ts';

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
  /** Of a run that goes on: it may lie anywhere. */
  readonly journalFile: string | undefined;
}

/**
 * For programs that follow a run: a document a line, each with its type and the run's id, `result` last. The first record says
 * where the journal is.
 */
export function streamReporter(output: Output, errorOutput: Output, how: StreamOptions): Reporter {
  const last = jsonReporter(output, errorOutput, how.resumedRun);
  let runId = how.resumedRun ?? null;
  return {
    ...last,
    event(event) {
      last.event(event);
      if (event.type === 'record' && event.record.type === 'run.started') runId = event.record.runId;
      const line = lineOf(event, runId, how);
      if (line !== undefined) writeTo(output, line);
    },
  };
}

/** Pieces of text are left out unless they are asked for: the record of the reply has it whole, and only if it counts. */
function lineOf(
  event: RunEvent,
  runId: string | null,
  { isEphemeral, isStreamed, journalFile }: StreamOptions,
): object | undefined {
  const { type, ...rest } = event;
  const named = { type, run_id: runId };
  if (event.type === 'text' || event.type === 'text.withdrawn')
    return isStreamed ? { ...named, ...rest } : undefined;
  if (event.type !== 'record') return { ...named, ...rest };
  const record = streamedRecord(event.record);
  const isFirst = event.record.type === 'run.started' || event.record.type === 'run.resumed';
  if (!isFirst) return { ...named, record };
  const journal = isEphemeral ? 'memory' : (journalFile ?? runPath(stateFolder(), runId ?? ''));
  return { ...named, journal, record };
}
