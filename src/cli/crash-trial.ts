/** One trial of `pawl crashtest`: a run in a folder of its own whose first process dies, taken up until it has ended. */
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { foldRecords } from '../journal/fold.ts';
import { JournalCorrupt } from '../journal/journal.ts';
import { proveRecords } from '../journal/read.ts';
import type { JournalRecord } from '../journal/record.ts';
import { localSandbox } from '../sandbox/process.ts';
import { type CrashPlan, type LedgerEntry, readLedger, trialFiles } from './crash-plan.ts';

/** The first one, one that takes the run up, and one to spare. */
const MOST_PROCESSES = 3;
const LONGEST_PROCESS_MS = 10 * 60_000;

export interface Trial {
  readonly folder: string;
  readonly processes: number;
  /** Where the first process died. */
  readonly diedAt: string;
  readonly ledger: readonly LedgerEntry[];
  /** Records that were there when it had died, and those that are there in the end. */
  readonly survivors: readonly JournalRecord[];
  readonly records: readonly JournalRecord[];
  /** Whether it left a call of which nobody can tell if it happened. */
  readonly isUnclear: boolean;
  /** What kept the run from its end. */
  readonly problem: string | undefined;
}

/**
 * @param pristine the workspace to be copied
 * @param folder made for this trial
 */
export async function playTrial(
  pristine: string,
  folder: string,
  plan: CrashPlan,
  signal: AbortSignal,
): Promise<Trial> {
  const files = trialFiles(folder);
  await fs.mkdir(folder);
  await fs.cp(pristine, files.workspace, { recursive: true, verbatimSymlinks: true });
  await fs.writeFile(files.ledger, '');
  const ends: (readonly JournalRecord[])[] = [];
  let problem: string | undefined = 'it was cancelled';
  let isUnclear = false;
  while (ends.length < MOST_PROCESSES && !signal.aborted) {
    const killAt = ends.length === 0 ? plan.killAt : null;
    await fs.writeFile(files.plan, JSON.stringify({ ...plan, killAt } satisfies CrashPlan));
    problem = await runProcess(files.plan, files.workspace, killAt !== null, signal);
    const { records, damage } = await readRecords(files.journal);
    ends.push(records);
    const left = records.length > 0 ? foldRecords(records).snapshot : undefined;
    problem ??= damage;
    if (damage !== undefined || left?.status === 'done') break;
    isUnclear ||= left?.context.calls.some(isUnclearCall) ?? false;
    problem ??= 'the run has not ended';
  }
  const ledger = readLedger(files.ledger);
  const instants = ledger.flatMap((entry) => (entry.is === 'instant' ? [entry.at] : []));
  return {
    folder,
    processes: ends.length,
    diedAt: plan.killAt === null ? 'nowhere' : (instants[plan.killAt - 1] ?? 'behind its end'),
    ledger,
    survivors: ends[0] ?? [],
    records: ends.at(-1) ?? [],
    isUnclear,
    problem,
  };
}

const isUnclearCall = (call: { readonly progress: string; readonly effect?: string }): boolean =>
  call.progress === 'started' && call.effect === 'effectful';

/** @returns what went wrong, if it did not end as it was meant to. All that it has started ends with it. */
async function runProcess(
  planFile: string,
  workspace: string,
  isToDie: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { end, stderr } = await localSandbox().run({
    command: process.execPath,
    args: [...process.execArgv, process.argv[1] ?? '', 'crash-child', planFile],
    cwd: workspace,
    timeoutMs: LONGEST_PROCESS_MS,
    maxCharacters: 2_000,
    signal,
  });
  if (end.kind === 'exited' && end.exitCode === 0) return undefined;
  if (end.kind === 'signalled' && end.signal === 'SIGKILL' && isToDie) return undefined;
  return `a process did not come to its end (${Object.values(end).join(' ')}): ${stderr.text.trim()}`;
}

/** A process that died before its first record has begun no run, so the next one may begin it. */
async function readRecords(
  journal: string,
): Promise<{ readonly records: readonly JournalRecord[]; readonly damage?: string }> {
  if (!existsSync(journal)) return { records: [] };
  const bytes = await fs.readFile(journal);
  if (!bytes.includes('\n')) {
    await fs.rm(journal);
    return { records: [] };
  }
  try {
    return proveRecords(journal, bytes);
  } catch (error) {
    if (!(error instanceof JournalCorrupt)) throw error;
    return { records: error.records, damage: error.message };
  }
}
