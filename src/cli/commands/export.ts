/** `pawl export`: a run as one file that opens in any browser, without pawl and without a network. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { pageWith } from '../../inspector/export.ts';
import { EXPORT_PAGE, PAGE_FOLDER } from '../../inspector/pages.ts';
import { checkOutputFile, writeAtomically } from '../output-file.ts';
import { reasonOf } from '../read-file.ts';
import { type LastFlag, readRun, tellDamage } from '../read-run.ts';
import { typed } from '../typed.ts';
import { UsageError } from '../usage-error.ts';

export interface ExportFlags extends LastFlag {
  /** True: a file named after the run, in the current folder. */
  readonly html?: string | true;
}

/** @throws UsageError. @returns 50 where the journal is damaged: what is before that is exported */
export async function exportCommand(name: string | undefined, flags: ExportFlags): Promise<number> {
  const { html } = flags;
  if (html === undefined) throw new UsageError(`Say as what: ${typed('export')} RUN --html [FILE].`);
  const run = await readRun(name, flags);
  if (run.records.length === 0) return tellDamage(run);
  const page = pageWith(await template(), run.records);
  if (page === undefined) throw new UsageError(NO_PAGE);
  if (html === '-') process.stdout.write(page);
  else {
    const file = path.resolve(html === true ? `${path.basename(run.file, '.jsonl')}.html` : html);
    await checkOutputFile('--html', file);
    await writeAtomically(file, page).catch((error: unknown) => {
      throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`);
    });
    process.stdout.write(`${file}\n`);
  }
  return tellDamage(run);
}

const template = (): Promise<string> =>
  fs.readFile(path.join(PAGE_FOLDER, EXPORT_PAGE), 'utf8').catch(() => {
    throw new UsageError(NO_PAGE);
  });

const NO_PAGE = 'This pawl was built without its page. Build it: npm run build';
