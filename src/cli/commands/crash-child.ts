/** One process of a trial of `pawl crashtest`: starts the run, or goes on with it where there is a journal. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileJournal, reopenJournal } from '../../journal/file.ts';
import type { RunStarted } from '../../journal/record.ts';
import type { Means } from '../../options.ts';
import { resume } from '../../resume.ts';
import { run } from '../../run.ts';
import { type CrashPlan, trialFiles } from '../crash-plan.ts';
import { CrashWatch } from '../crash-watch.ts';
import { resumeSettings } from '../resume-settings.ts';
import { resolveSettings } from '../settings.ts';

/** @param planFile in the folder of the trial, in whose workspace this process was started */
export async function crashChildCommand(planFile: string): Promise<number> {
  const plan = JSON.parse(await readFile(planFile, 'utf8')) as CrashPlan;
  const files = trialFiles(path.dirname(planFile));
  const watch = new CrashWatch(files.ledger, plan.killAt);
  if (existsSync(files.journal)) await goOn(files.journal, plan, watch);
  else await begin(plan, files, watch);
  return 0;
}

const watched = <Some extends Means>(means: Some, watch: CrashWatch): Some => ({
  ...means,
  client: watch.client(means.client),
  tools: (means.tools ?? []).map((tool) => watch.tool(tool)),
  onEvent: (event) => watch.event(event),
});

async function begin(
  { task, flags }: CrashPlan,
  { journal, workspace }: ReturnType<typeof trialFiles>,
  watch: CrashWatch,
): Promise<void> {
  const { options } = await resolveSettings([task], flags, {
    folder: workspace,
    env: process.env,
    input: process.stdin,
  });
  await run({ ...watched(options, watch), journal: watch.journal(fileJournal(journal)) });
}

async function goOn(file: string, { flags }: CrashPlan, watch: CrashWatch): Promise<void> {
  const { journal, ...content } = await reopenJournal(file);
  const { records } = content;
  const { options } = await resumeSettings(
    records,
    records[0] as RunStarted & (typeof records)[number],
    { yes: true, outputFormat: 'text', ...(flags.sandbox && { sandbox: flags.sandbox }) },
    process.cwd(),
    process.env,
  );
  await resume({ ...content, journal: watch.journal(journal) }, watched(options, watch));
}
