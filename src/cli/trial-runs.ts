/** The runs of `pawl trial`: the same task again and again, each in a copy of the workspace and with a journal of its own. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { totalTokens } from '../../machines/reply.ts';
import { readJournal } from '../journal/read.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { ModelClient } from '../model/client.ts';
import type { RunOptions } from '../options.ts';
import { RunCrashed, type RunOutcome } from '../outcome.ts';
import { nobody } from '../permissions/nobody.ts';
import { run } from '../run.ts';
import { COULD_NOT_START } from '../tools/process-output.ts';
import { defectLine } from './defects.ts';
import { comparable } from './trial-compare.ts';

export interface TrialRun {
  /** From 1. */
  readonly number: number;
  readonly runId: string;
  /** `check_error`: its check could not be started, so nobody knows what the answer is worth. */
  readonly status: RunOutcome['status'] | 'internal_error' | 'check_error';
  /** Answered, and its check passed where there is one. */
  readonly passed: boolean;
  readonly turns: number;
  readonly tokens: number;
  /** null where no price is known. */
  readonly costUsd: number | null;
  readonly durationMs: number;
  /** Whether calls were denied because nobody could be asked. */
  readonly isDenied: boolean;
  readonly errors: readonly string[];
  /** For comparison with other runs. */
  readonly records: readonly JournalRecord[];
}

export interface Trial {
  readonly runs: number;
  readonly concurrency: number;
  /** What all runs together may spend, and what each may: the last one is started only if its share is there. */
  readonly maxTotalUsd: number | null;
  readonly options: RunOptions;
  /** A script plays from its beginning in each run. */
  readonly newClient: () => Promise<ModelClient>;
  /** A sandbox is made for one folder, so each copy has its own. */
  readonly confinement: (workspace: string) => Promise<Pick<RunOptions, 'sandbox'>>;
  /** The workspace as it was, and the folder for its copies. */
  readonly pristine: string;
  readonly base: string;
  readonly signal: AbortSignal;
  readonly onStart: (number: number) => void;
  readonly onEnd: (run: TrialRun) => void;
}

/** @returns the runs that were started, in order. Those that a cancel reached are among them, as `cancelled`. */
export async function trialRuns(trial: Trial): Promise<TrialRun[]> {
  const { runs, concurrency, signal, options, maxTotalUsd } = trial;
  const done: TrialRun[] = [];
  const share = options.limits?.maxCostUsd ?? 0;
  let [started, underWay] = [0, 0];
  /** It would be the same in the runs that follow, which cost as much. */
  const isGraded = () => done.every(({ status }) => status !== 'check_error');
  const spent = () => done.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  /** Each run that is under way may still spend all of its share. */
  const isAffordable = () => maxTotalUsd === null || spent() + (underWay + 1) * share <= maxTotalUsd + 1e-9;
  const work = async (): Promise<void> => {
    while (started < runs && !signal.aborted && isGraded() && isAffordable()) {
      started += 1;
      underWay += 1;
      const number = started;
      trial.onStart(number);
      const one = await playOne(trial, number);
      underWay -= 1;
      done.push(one);
      trial.onEnd(one);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return done.sort((a, b) => a.number - b.number);
}

async function playOne(
  { options, newClient, confinement, pristine, base, signal }: Trial,
  number: number,
): Promise<TrialRun> {
  const workspace = path.join(base, `run-${number}`);
  await fs.cp(pristine, workspace, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  try {
    const client = await newClient();
    const outcome = await run({
      ...options,
      ...(await confinement(workspace)),
      client,
      workspace,
      signal,
      approver: nobody('with --yes', 'only by changing what asks: a trial asks nobody'),
    }).catch(brokenBy);
    const { runId, counters, usage, costUsd, durationMs, denials, journal } = outcome;
    const records = await recordsIn(journal);
    const problem = outcome.status === 'unverified' ? checkProblem(records) : undefined;
    const status = problem === undefined ? outcome.status : 'check_error';
    return {
      number,
      runId,
      status,
      passed: status === 'answered',
      turns: counters.turns,
      tokens: totalTokens(usage),
      costUsd,
      durationMs,
      isDenied: denials.some(({ reason }) => reason.includes('--yes')),
      errors: problem === undefined ? outcome.errors : [problem],
      records: comparable(records, workspace),
    };
  } finally {
    await fs.rm(workspace, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What a shell says of a command that is not there, or is no program. */
const NOT_STARTED = [126, 127];

/** Why the last check could not be started; undefined: it was, and its verdict counts. */
function checkProblem(records: readonly JournalRecord[]): string | undefined {
  const check = records.findLast((record) => record.type === 'check.finished');
  if (check === undefined) return undefined;
  const { command, exitCode, output } = check;
  const isStarted = exitCode === null ? !output.startsWith(COULD_NOT_START) : !NOT_STARTED.includes(exitCode);
  if (isStarted) return undefined;
  const how = exitCode === null ? '' : ` (exit code ${exitCode})`;
  return `The check could not be started${how}: ${command}. It said: ${output.replace(/\s+/g, ' ').trim()}`;
}

/** A defect in one run, most likely one of a tool module, is told with it; the others go on. */
function brokenBy(error: unknown): Omit<RunOutcome, 'status'> & { readonly status: 'internal_error' } {
  if (!(error instanceof RunCrashed)) throw error;
  return {
    ...error.facts,
    status: 'internal_error',
    exitCode: 1,
    waiting: [],
    result: null,
    signal: null,
    errors: [defectLine(error.cause)],
  };
}

/** A journal that could not be written has nothing to compare; its run says so by its status. */
const recordsIn = async (journal: string | null): Promise<readonly JournalRecord[]> =>
  journal === null
    ? []
    : readJournal(journal).then(
        ({ records }) => records,
        () => [],
      );
