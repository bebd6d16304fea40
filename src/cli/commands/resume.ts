/** `pawl resume`: goes on with a run, whatever it ended with. */
import { realpath } from 'node:fs/promises';
import { reopenJournal } from '../../journal/file.ts';
import { JournalCorrupt, JournalError, type OpenedJournal } from '../../journal/journal.ts';
import type { RunStarted } from '../../journal/record.ts';
import { resume } from '../../resume.ts';
import { announcing } from '../announcing.ts';
import { choice, OUTPUT_FORMATS } from '../choices.ts';
import { conduct } from '../conduct.ts';
import { type FoundRun, findRun, lastRun, latestRun } from '../find-run.ts';
import { shortName } from '../format.ts';
import { jsonReporter } from '../json-reporter.ts';
import { printableSentence } from '../printable.ts';
import { cannotRead, checkRegularFile } from '../read-file.ts';
import { DAMAGED_EXIT_CODE, damageText, LARGEST_JOURNAL_BYTES } from '../read-run.ts';
import { resumeSettings } from '../resume-settings.ts';
import type { ResumeFlags } from '../run-flags.ts';
import { keepForAnswer, standardOutput } from '../standard-output.ts';
import { isFromInput, taskFrom } from '../task.ts';
import { typed } from '../typed.ts';
import { UsageError } from '../usage-error.ts';

/** @returns the exit code. @throws UsageError before anything was written; whatever else it throws is a defect */
export async function resumeCommand(words: readonly string[], flags: ResumeFlags): Promise<number> {
  keepForAnswer();
  const format = choice('--output-format', flags.outputFormat, OUTPUT_FORMATS);
  const [found, more] = await runOf(words, flags);
  await checkRegularFile(found.file, LARGEST_JOURNAL_BYTES).catch((error) => {
    throw cannotRead(`journal of the run ${shortName(found.name)}`, found.file, error);
  });
  const instruction = isFromInput(more) ? await taskFrom(process.stdin) : more.join(' ');
  let opened: OpenedJournal;
  try {
    opened = await reopenJournal(found.file);
  } catch (error) {
    if (!(error instanceof JournalError || error instanceof JournalCorrupt)) throw error;
    const problem = error instanceof JournalCorrupt ? damageText(error, found.name) : error.message;
    if (format !== 'text')
      jsonReporter(standardOutput, process.stderr, found.name).broken(
        'journal_error',
        DAMAGED_EXIT_CODE,
        problem,
      );
    process.stderr.write(`pawl: ${printableSentence(problem)}\n`);
    return DAMAGED_EXIT_CODE;
  }
  return goOn(opened, instruction, flags);
}

async function goOn(opened: OpenedJournal, instruction: string, flags: ResumeFlags): Promise<number> {
  const { records, journal } = opened;
  try {
    const { options, how, notices } = await resumeSettings(
      records,
      records[0] as RunStarted & (typeof records)[number],
      flags,
      process.cwd(),
      process.env,
      journal.location,
    );
    return await conduct({ ...how, journalFile: journal.location }, (surroundings) =>
      resume(opened, {
        ...options,
        ...surroundings,
        onEvent: announcing(notices, surroundings.onEvent),
        instruction,
      }),
    );
  } finally {
    await journal.close();
  }
}

/** The run that is meant, and the words that are not its name. */
async function runOf(words: readonly string[], flags: ResumeFlags): Promise<[FoundRun, readonly string[]]> {
  if (flags.continue) {
    const workspace = await realpath(process.cwd());
    const latest = await latestRun({ workspace });
    if (latest) return [latest, words];
    throw new UsageError(
      `No run has worked in ${workspace} yet. Start one: ${typed('run')} "task"; or name a run: ${typed('runs')} lists them.`,
    );
  }
  if (flags.last) return [await lastRun(), words];
  const [run, ...more] = words;
  if (run === undefined)
    throw new UsageError(
      `Say which run is to go on: its id (${typed('runs')} lists them), --last for the newest one, or --continue for the newest one of this folder.`,
    );
  return [await findRun(run), more];
}
