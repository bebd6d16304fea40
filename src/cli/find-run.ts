/** Which run a person means. */
import path from 'node:path';
import { readHeader, runIds } from '../journal/catalog.ts';
import { runPath, stateFolder } from '../journal/location.ts';
import { quoted } from './format.ts';
import { cannotRead } from './read-file.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

export interface FoundRun {
  /** How to name it to pawl again: its id, or a path as it was given. */
  readonly name: string;
  /** Absolute path of its journal. */
  readonly file: string;
}

/** How many ids an error lists. */
const MOST_LISTED = 5;
const HOW_TO_NAME = 'Give the id of a run or the path of its .jsonl file';

/**
 * @param run id of a run, a beginning that only one id has, or the path of a journal, which may not exist
 * @throws UsageError that names the runs that might be meant
 */
export async function findRun(run: string): Promise<FoundRun> {
  if (/[/\\]|\.jsonl$/.test(run)) return { name: run, file: path.resolve(run) };
  const folder = stateFolder();
  const ids = await allIds(folder);
  const candidates = ids.includes(run) ? [run] : ids.filter((id) => run !== '' && id.startsWith(run));
  const [name, ...others] = candidates;
  if (name === undefined) throw notFound(run, ids, folder);
  if (others.length > 0)
    throw new UsageError(
      `${candidates.length} runs begin with ${quoted(run)}: ${listed(candidates)}. Give more of the id.`,
    );
  return { name, file: runPath(folder, name) };
}

/**
 * The run that a command is about.
 * @param run as in findRun @throws UsageError where neither is given, or both
 */
export async function runMeant(run: string | undefined, isLast: boolean | undefined): Promise<FoundRun> {
  if (run !== undefined && isLast)
    throw new UsageError('--last is the newest run: leave out the name of another one.');
  if (run !== undefined) return findRun(run);
  if (isLast) return lastRun();
  throw new UsageError(`Say which run: its id (${typed('runs')} lists them), or --last for the newest one.`);
}

/** @throws UsageError where there is none */
export async function lastRun(): Promise<FoundRun> {
  const latest = await latestRun();
  if (latest === undefined)
    throw new UsageError(`There is no run yet. Start one: ${typed('run')} "task".${orAtEngine()}`);
  return latest;
}

/** @param filter `workspace`: absolute real path that the run was started in. @returns undefined: there is none */
export async function latestRun(filter: { readonly workspace?: string } = {}): Promise<FoundRun | undefined> {
  const folder = stateFolder();
  for (const name of await allIds(folder)) {
    const file = runPath(folder, name);
    if (filter.workspace === undefined) return { name, file };
    if ((await readHeader(file))?.workspace === filter.workspace) return { name, file };
  }
  return undefined;
}

/** Newest first. @throws UsageError where the folder cannot be read */
export async function allIds(folder: string): Promise<string[]> {
  return runIds(folder).catch((error) => {
    throw cannotRead('folder of the runs', path.dirname(runPath(folder, 'any')), error);
  });
}

const notFound = (run: string, ids: readonly string[], folder: string): UsageError => {
  const there =
    ids.length === 0
      ? `${path.dirname(runPath(folder, 'any'))} holds none`
      : `the last ones are ${ids.slice(0, MOST_LISTED).join(', ')} (all: ${typed('runs')})`;
  return new UsageError(`There is no run ${quoted(run)}: ${there}. ${HOW_TO_NAME}.${orAtEngine()}`);
};

/** The setting alone makes no command look there: it would hide runs that are here. */
function orAtEngine(): string {
  const { PAWL_RESTATE: engine } = process.env;
  return engine
    ? ` If the engine has it: ${typed('pull')} RUN brings it here; approve, deny and inspect take --restate ${engine}.`
    : '';
}

const listed = (ids: readonly string[]): string => {
  const more = ids.length - MOST_LISTED;
  return `${ids.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
