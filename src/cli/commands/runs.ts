/** `pawl runs`: what runs there are, newest first. */
import path from 'node:path';
import { type RunEntry, readEntry } from '../../journal/catalog.ts';
import { runPath, stateFolder } from '../../journal/location.ts';
import { choice } from '../choices.ts';
import { asked, type Engine, type EngineFlags, engineOf, isOfEngine } from '../engine.ts';
import { maybeAtEngine } from '../engine-copy.ts';
import { entryOf, LISTED_STATES, type ListedRun } from '../engine-runs.ts';
import { allIds } from '../find-run.ts';
import { counted } from '../format.ts';
import { writeLines } from '../line-output.ts';
import { outputColumns } from '../log-lines.ts';
import { positiveWhole } from '../numbers.ts';
import { printableLine } from '../printable.ts';
import { entryRecord, tableLines } from '../run-table.ts';
import { hasColours, styleOf } from '../style.ts';
import { tell } from '../tell.ts';

export interface RunsFlags extends EngineFlags {
  readonly status?: string;
  readonly limit?: string;
  readonly json?: true;
}

/** Rows that a person is shown who asks for no number. */
const DEFAULT_ROWS = 20;

/** @throws UsageError for a wrong flag, or where the folder of the runs cannot be read */
export async function runsCommand(flags: RunsFlags): Promise<number> {
  const status = flags.status === undefined ? undefined : choice('--status', flags.status, LISTED_STATES);
  const limit = flags.limit === undefined ? undefined : positiveWhole('--limit', flags.limit);
  const most = limit ?? (flags.json ? Number.POSITIVE_INFINITY : DEFAULT_ROWS);
  const folder = stateFolder();
  const engine = isOfEngine(flags) ? await engineOf(flags) : undefined;
  const { entries, more } = engine
    ? await entriesAt(engine, status, most)
    : await entriesOf(folder, await allIds(folder), status, most);
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(entries.map(entryRecord), null, 2)}\n`);
    return 0;
  }
  const which = status === undefined ? '' : ` with status ${status}`;
  if (entries.length === 0)
    tell(
      `There are no runs${which} in ${engine?.ingress.url ?? printableLine(path.dirname(runPath(folder, 'any')))}.${engine ? '' : maybeAtEngine('runs')}`,
    );
  else {
    const style = styleOf(hasColours(process.stdout, process.env));
    await writeLines(tableLines(entries, Date.now(), outputColumns(), style));
  }
  if (more > 0)
    tell(`${counted(more, 'older run')}${which} not shown. More: --limit ${entries.length + more}`);
  return 0;
}

/** The engine is asked for a bounded number, whatever their status is. */
async function entriesAt(
  { admin }: Engine,
  status: ListedRun['status'] | undefined,
  most: number,
): Promise<{ entries: ListedRun[]; more: number }> {
  const found = await asked(() => admin.runs(status === undefined ? Math.min(most, MOST_ROWS) : MOST_ROWS));
  const entries = found.map((run) => entryOf(run, admin.url));
  const wanted = entries.filter((entry) => status === undefined || entry.status === status);
  return { entries: wanted.slice(0, most), more: Math.max(0, wanted.length - most) };
}

/** That an engine is asked for at a time. */
const MOST_ROWS = 10_000;

/** With a status all runs have to be looked at, since it decides which of them count. */
async function entriesOf(
  folder: string,
  ids: readonly string[],
  status: ListedRun['status'] | undefined,
  most: number,
): Promise<{ entries: RunEntry[]; more: number }> {
  const entries: RunEntry[] = [];
  if (status === undefined) {
    for (const id of ids.slice(0, most)) entries.push(await readEntry(folder, id));
    return { entries, more: ids.length - entries.length };
  }
  for (const id of ids) {
    const entry = await readEntry(folder, id);
    if (entry.status === status) entries.push(entry);
  }
  return { entries: entries.slice(0, most), more: Math.max(0, entries.length - most) };
}
