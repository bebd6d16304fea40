/** `pawl trial`: repeats a task and says how often it succeeds. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exitCodeOf } from '../../../machines/status.ts';
import { OptionsError } from '../../checks/options-error.ts';
import { copyWorkspace } from '../copy-workspace.ts';
import { INTERNAL_EXIT_CODE } from '../defects.ts';
import { cost, counted } from '../format.ts';
import { outputColumns } from '../log-lines.ts';
import { scriptClient } from '../model-choice.ts';
import { dollars, positiveWhole } from '../numbers.ts';
import { printableLine } from '../printable.ts';
import type { RunFlags } from '../run-flags.ts';
import { sandboxing } from '../sandbox-settings.ts';
import { Screen } from '../screen.ts';
import { resolveSettings } from '../settings.ts';
import { type Cancelling, cancelOnSignals } from '../signals.ts';
import { keepForAnswer, standardOutput } from '../standard-output.ts';
import { hasColours, styleOf } from '../style.ts';
import { findingsOf, trialRecord, trialText } from '../trial-report.ts';
import { type TrialRun, trialRuns } from '../trial-runs.ts';
import { UsageError } from '../usage-error.ts';

export interface TrialFlags extends Omit<RunFlags, 'outputFormat' | 'ephemeral' | 'transcript' | 'stream'> {
  readonly runs: string;
  readonly concurrency: string;
  readonly check?: string;
  readonly maxTotalUsd?: string;
  readonly json?: true;
}

/** A copy is there while its run is. */
const MOST = { entries: 100_000, bytes: 1_000_000_000 };
const MOST_RUNS = 1_000;
const MOST_AT_ONCE = 16;

/** @returns 0 where all runs were made, whatever they came to. @throws UsageError before anything was started */
export async function trialCommand(words: readonly string[], flags: TrialFlags): Promise<number> {
  keepForAnswer();
  const { stdin, stderr, stdout, env } = process;
  const folder = process.cwd();
  const wanted = positiveWhole('--runs', flags.runs, MOST_RUNS);
  const concurrency = positiveWhole('--concurrency', flags.concurrency, MOST_AT_ONCE);
  const given = runFlags(flags, wanted);
  const { options } = await resolveSettings(words, given, { folder, env, input: stdin });
  const maxTotalUsd = flags.maxTotalUsd === undefined ? null : dollars('--max-total-usd', flags.maxTotalUsd);
  const script = flags.script === undefined ? undefined : path.resolve(folder, flags.script);
  const screen = new Screen(stderr, styleOf(hasColours(stderr, env)));
  const cancelling = cancelOnSignals(() => {});
  const base = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'pawl-trial-'));
  try {
    const pristine = path.join(base, 'pristine');
    for (const file of await copyWorkspace(options.workspace ?? folder, pristine, MOST))
      screen.line(`! ${printableLine(file)} is not copied: it is a special file, or a link that leads away.`);
    announce(screen, wanted, options.limits?.maxCostUsd ?? null, maxTotalUsd);
    const runs = await trialRuns({
      runs: wanted,
      concurrency,
      maxTotalUsd,
      options,
      confinement: async (workspace) =>
        (await sandboxing(given, options.tools ?? [], workspace, folder, env)).means,
      newClient: async () => (script === undefined ? options.client : scriptClient(script)),
      pristine,
      base,
      signal: cancelling.signal,
      onStart: (number) => screen.wait(`run ${number} of ${wanted}`),
      onEnd: (run) => tellRun(screen, run, wanted),
    });
    screen.close();
    if (runs.some(({ isDenied }) => isDenied))
      screen.line('Calls were denied because nobody can be asked. Allow all calls with --yes.');
    const findings = findingsOf(wanted, runs);
    const exitCode = exitCodeFor(runs, wanted, cancelling);
    const lines = flags.json
      ? [JSON.stringify(trialRecord(findings, exitCode))]
      : trialText(findings, outputColumns(), styleOf(hasColours(stdout, env)));
    standardOutput.write(`${lines.join('\n')}\n`);
    return exitCode;
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message);
    throw error;
  } finally {
    screen.close();
    cancelling.dispose();
    await fs.rm(base, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The same for each run: a total alone is divided among them, so that all have the same conditions. */
function runFlags(
  { check, runs: _, concurrency: __, maxTotalUsd, json: ___, ...flags }: TrialFlags,
  wanted: number,
): RunFlags {
  if (check !== undefined && flags.verify !== undefined)
    throw new UsageError('--check grades the answer and --verify has it mended: give one of the two.');
  if (check !== undefined && check.trim() === '')
    throw new UsageError('--check must not be empty. Name a command, such as --check "npm test".');
  const total = maxTotalUsd === undefined ? undefined : dollars('--max-total-usd', maxTotalUsd);
  const maxBudgetUsd =
    flags.maxBudgetUsd ??
    (total === undefined ? undefined : (Math.floor((total / wanted) * 1e6) / 1e6).toFixed(6));
  return {
    ...flags,
    ...(check !== undefined && { verify: check, maxRepairs: '0' }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
    outputFormat: 'text',
  };
}

function announce(screen: Screen, wanted: number, each: number | null, total: number | null): void {
  if (each === null) return;
  const most = Math.min(each * wanted, total ?? Number.POSITIVE_INFINITY);
  screen.line(`Each run may spend ${cost(each)}, ${counted(wanted, 'run')} at most ${cost(most)} together.`);
}

function tellRun(
  screen: Screen,
  { number, status, runId, turns, costUsd, errors }: TrialRun,
  wanted: number,
): void {
  const money = costUsd ? ` · ${cost(costUsd)}` : '';
  screen.line(`run ${number} of ${wanted}: ${status} · ${counted(turns, 'turn')}${money} · ${runId}`);
  for (const error of errors) screen.line(`  ${printableLine(error)}`);
}

function exitCodeFor(runs: readonly TrialRun[], wanted: number, { signal }: Cancelling): number {
  if (signal.aborted) return exitCodeOf('cancelled', signal.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
  if (runs.some(({ status }) => status === 'internal_error' || status === 'check_error'))
    return INTERNAL_EXIT_CODE;
  return runs.length < wanted ? exitCodeOf('cost_budget') : 0;
}
