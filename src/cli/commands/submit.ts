/** `pawl submit`: hands a run to an engine, and waits for it if that is wanted. */

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newRunId } from '../../journal/location.ts';
import type { RunPlace } from '../../restate/ingress.ts';
import { MACHINE_VERSION, workflowName } from '../../restate/protocol.ts';
import { choice, EFFORTS } from '../choices.ts';
import { asked, type Engine, type EngineFlags, engineOf } from '../engine.ts';
import { ON_ASK } from '../on-ask.ts';
import type { RunFlags } from '../run-flags.ts';
import { keepForAnswer, standardOutput } from '../standard-output.ts';
import { submittedOptions } from '../submission.ts';
import { isFromInput, taskFrom, taskOf } from '../task.ts';
import { UsageError } from '../usage-error.ts';
import { waitForRun } from '../wait-for-run.ts';

export interface SubmitFlags extends RunFlags, EngineFlags {
  readonly wait?: true;
  readonly blobs?: string;
}

/** How long a run that cannot be begun has to say so. */
const FIRST_SIGN_MS = 2_000;
const POLL_MS = 100;
const FORMATS = ['text', 'json'] as const;
/** The engine keeps a submission several times, and takes none of 32 MB. */
const LARGEST_BYTES = 4_000_000;

/** @returns the exit code: that of the run, where it was waited for. @throws UsageError where nothing was begun */
export async function submitCommand(words: readonly string[], flags: SubmitFlags): Promise<number> {
  keepForAnswer();
  const format = choice('--output-format', flags.outputFormat, FORMATS);
  if (flags.onAsk !== undefined) choice('--on-ask', flags.onAsk, ON_ASK);
  if (flags.effort !== undefined) choice('--effort', flags.effort, EFFORTS);
  const engine = await engineOf(flags);
  const folder = process.cwd();
  const submission = {
    task: isFromInput(words) ? await taskFrom(process.stdin) : taskOf(words),
    workspace: flags.cd === undefined ? null : path.resolve(folder, flags.cd),
    options: submittedOptions(flags, folder),
  };
  const bytes = Buffer.byteLength(JSON.stringify(submission));
  if (bytes > LARGEST_BYTES)
    throw new UsageError(
      `The task is too long for an engine: ${bytes} bytes of at most ${LARGEST_BYTES}. Put it into a file and name that in the task.`,
    );
  const runId = newRunId(Date.now(), Math.random);
  const place = { runId, workflow: workflowName(MACHINE_VERSION) };
  await asked(() => engine.ingress.submit(place, submission));
  if (flags.wait) return waitForRun(engine, place, flags, format);
  await firstSign(engine, place);
  const found = { run_id: runId, workflow: place.workflow };
  standardOutput.write(`${format === 'json' ? JSON.stringify(found) : runId}\n`);
  return 0;
}

/** A wrong option is found out by the worker, before the first record. */
async function firstSign({ ingress, admin }: Engine, place: RunPlace): Promise<void> {
  const enough = AbortSignal.timeout(FIRST_SIGN_MS);
  const over = new AbortController();
  const failure = ingress.outcome(place, over.signal).then(
    () => undefined,
    (error: Error & { readonly code?: number }) => (error.code === 400 ? error.message : undefined),
  );
  const begun = async (): Promise<undefined> => {
    while (!enough.aborted && (await asked(() => admin.records(place))).length === 0)
      await sleep(POLL_MS, undefined, { signal: enough }).catch(() => {});
  };
  const problem = await Promise.race([failure, begun()]);
  over.abort();
  if (problem !== undefined) throw new UsageError(problem);
}
