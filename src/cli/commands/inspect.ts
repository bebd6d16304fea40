/** `pawl inspect`: the page for runs that are over, or that other processes are at work on. */
import path from 'node:path';
import type { Runs } from '../../inspector/answer.ts';
import { runsIn } from '../../inspector/library.ts';
import { startServer } from '../../inspector/server.ts';
import { stateFolder } from '../../journal/location.ts';
import { type EngineFlags, isOfEngine } from '../engine.ts';
import { runsAt } from '../engine-inspect.ts';
import { findRun } from '../find-run.ts';
import { quoted } from '../format.ts';
import { portOf } from '../inspect-settings.ts';
import { openInBrowser, tunnelHint } from '../open-page.ts';
import { checkRegularFile, reasonOf } from '../read-file.ts';
import { cancelOnSignals } from '../signals.ts';
import { tell } from '../tell.ts';
import { UsageError } from '../usage-error.ts';

export interface InspectCommandFlags extends EngineFlags {
  readonly port?: string;
  readonly open: boolean;
  readonly demo?: true;
}

const LARGEST_JOURNAL_BYTES = 1_000_000_000;

/** Serves until it is told to stop. @throws UsageError if there is no such run, or no port */
export async function inspectCommand(run: string | undefined, flags: InspectCommandFlags): Promise<number> {
  if (run !== undefined && flags.demo)
    throw new UsageError('--demo plays scripts of its own. Leave the run out.');
  const wanted = portOf(flags.port) ?? 0;
  const { runs, found } = isOfEngine(flags) ? await runsAt(flags, run) : await runsHere(run);
  const server = await startServer(runs, wanted).catch((error: unknown) => {
    throw new UsageError(`The page cannot be served on this machine: ${reasonOf(error)}.`);
  });
  if (wanted !== 0 && server.port !== wanted)
    tell(`Port ${wanted} cannot be had, so it is port ${server.port}.`);
  const query = flags.demo ? 'demo' : found ? `run=${encodeURIComponent(found)}` : '';
  process.stdout.write(`${server.open(query)}\n`);
  for (const line of tunnelHint(server.port, process.env)) tell(line);
  tell('Ctrl-C ends it.');
  if (flags.open) openInBrowser(server.openOnce(query), process);
  await untilTold();
  await server.close();
  return 0;
}

/** @returns also the id of the run that is meant */
async function runsHere(run: string | undefined): Promise<{ runs: Runs; found?: string }> {
  const folder = stateFolder();
  if (run === undefined) return { runs: runsIn({ folder }) };
  const { runId, file } = await named(run);
  return { runs: runsIn({ folder, named: new Map([[runId, file]]) }), found: runId };
}

async function named(run: string): Promise<{ readonly runId: string; readonly file: string }> {
  const { file } = await findRun(run);
  await checkRegularFile(file, LARGEST_JOURNAL_BYTES).catch((error: unknown) => {
    throw new UsageError(
      `The run ${quoted(run)} cannot be read: ${reasonOf(error)}. Give the id of a run or the path of its .jsonl file.`,
    );
  });
  return { runId: path.basename(file, '.jsonl'), file };
}

function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    const { signal } = cancelOnSignals(() => {});
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
