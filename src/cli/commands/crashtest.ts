/** `pawl crashtest`: plays a scripted run again and again, each time with a process that is killed at another instant. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exitCodeOf } from '../../../machines/status.ts';
import { copyWorkspace } from '../copy-workspace.ts';
import { findingsOf, type Judged } from '../crash-findings.ts';
import { crashRecord, crashText, failuresIn } from '../crash-report.ts';
import { INTERNAL_EXIT_CODE } from '../defects.ts';
import { printableLine } from '../printable.ts';
import type { RunFlags } from '../run-flags.ts';
import { Screen } from '../screen.ts';
import { resolveSettings } from '../settings.ts';
import { cancelOnSignals } from '../signals.ts';
import { keepForAnswer, standardOutput } from '../standard-output.ts';
import { hasColours, styleOf } from '../style.ts';

export interface CrashtestFlags
  extends Pick<
    RunFlags,
    | 'cd'
    | 'agent'
    | 'tools'
    | 'toolTimeout'
    | 'sandbox'
    | 'maxTurns'
    | 'tokenBudget'
    | 'maxOutputTokens'
    | 'maxToolCalls'
    | 'summary'
    | 'verbose'
  > {
  readonly script: string;
  readonly json?: true;
}

/** There is a copy for each instant, of which a short run has dozens. */
const MOST = { entries: 2_000, bytes: 20_000_000 };

/** @returns 0 where nothing was found. @throws UsageError before anything was started */
export async function crashtestCommand(words: readonly string[], flags: CrashtestFlags): Promise<number> {
  keepForAnswer();
  const { stdin, stderr, stdout, env } = process;
  const folder = process.cwd();
  // Nobody is there to be asked: without a sandbox it is refused, unless that is wanted.
  const sandbox = flags.sandbox ?? 'require';
  const given: RunFlags = { ...flags, sandbox, yes: true, outputFormat: 'text' };
  const { options } = await resolveSettings(words, given, { folder, env, input: stdin });
  const screen = new Screen(stderr, styleOf(hasColours(stderr, env)));
  const cancelling = cancelOnSignals(() => {});
  const base = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'pawl-crashtest-'));
  let failures: readonly Judged[] = [];
  try {
    const pristine = path.join(base, 'pristine');
    for (const file of await copyWorkspace(options.workspace ?? folder, pristine, MOST))
      screen.line(`! ${printableLine(file)} is not copied: it is a special file, or a link that leads away.`);
    const task = { task: options.task, flags: childFlags(given, folder) };
    const findings = await findingsOf({ base, pristine, task, screen, signal: cancelling.signal });
    if (findings === undefined)
      return exitCodeOf('cancelled', cancelling.signal.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
    failures = failuresIn(findings.judged);
    const exitCode = failures.length === 0 ? 0 : INTERNAL_EXIT_CODE;
    const lines = flags.json
      ? [JSON.stringify(crashRecord(findings, exitCode))]
      : crashText(findings, styleOf(hasColours(stdout, env)));
    standardOutput.write(`${lines.join('\n')}\n`);
    return exitCode;
  } finally {
    screen.close();
    cancelling.dispose();
    await removeAllBut(base, failures);
  }
}

/** The children work in a folder of their own, so paths are made absolute; the workspace is that folder. */
function childFlags({ cd: _, agent, script, ...flags }: RunFlags, folder: string): RunFlags {
  return {
    ...flags,
    ...(agent !== undefined && { agent: path.resolve(folder, agent) }),
    ...(script !== undefined && { script: path.resolve(folder, script) }),
  };
}

async function removeAllBut(base: string, kept: readonly Judged[]): Promise<void> {
  if (kept.length === 0) return fs.rm(base, { recursive: true, force: true });
  const names = new Set(kept.map(({ trial }) => path.basename(trial.folder)));
  for (const name of await fs.readdir(base))
    if (!names.has(name)) await fs.rm(path.join(base, name), { recursive: true, force: true });
}
