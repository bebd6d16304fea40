/** Copies of runs that workers go on with, as `pawl pull` makes them: they are read here, and written by nobody but the engine. */
import type { JournalRecord } from '../journal/record.ts';
import type { RecordedSettings } from './settings.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

/** A run that has ended can be taken up here, and from then on is one of this machine. So is a fork. */
export function isCopy(records: readonly JournalRecord[]): boolean {
  const [header] = records;
  if (header?.type !== 'run.started' || header.origin !== undefined) return false;
  const { engine } = (header.settings ?? {}) as Partial<RecordedSettings>;
  return engine !== undefined && !records.some(({ type }) => type === 'run.ended' || type === 'run.resumed');
}

/** Two would go on with one run, or a word would reach nobody. @param instead what can be done @throws UsageError */
export function refuseCopy(records: readonly JournalRecord[], run: string, instead: string): void {
  if (isCopy(records)) throw new UsageError(`${isCopyOf(run)} ${instead}`);
}

export const isCopyOf = (run: string): string => `The run ${run} is a copy of one that workers go on with.`;

export const onceEnded = (run: string): string =>
  `Once it has ended, pull it again: ${typed('pull')} ${run}.`;

/** Where a command has found nothing here: what may be at the engine that the environment names. */
export const maybeAtEngine = (command: string): string =>
  process.env.PAWL_RESTATE ? ` At the engine: ${typedAtEngine(command)}` : '';

/** A command line for runs of the engine that the environment names. @param words behind the name of the command */
export const typedAtEngine = (command: string, words = ''): string =>
  `${typed(`${command} ${words}`).trimEnd()} --restate ${process.env.PAWL_RESTATE ?? 'URL'}`;
