/** Words on calls of runs that an engine has. It keeps them: no worker need be there. */
import { foldRecords } from '../journal/fold.ts';
import type { EngineRun } from '../restate/admin.ts';
import { type WaitingCall, waitingCalls } from '../waiting.ts';
import type { DecideFlags } from './commands/decide.ts';
import { checkNames, chosen, tellDecided, writeDocument } from './decided-calls.ts';
import { asked, blobsFolder, type Engine, engineOf, findEngineRun, workspacesFolder } from './engine.ts';
import { tell } from './tell.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError for a run or a call that does not wait */
export async function decideAtEngine(
  words: readonly string[],
  flags: DecideFlags,
  granted: boolean,
): Promise<number> {
  const engine = await engineOf(flags);
  const [run, names] = flags.last
    ? [await newest(engine), words]
    : [await findEngineRun(engine.admin, words[0] ?? ''), words.slice(1)];
  const { runId } = run;
  checkNames(names, runId, flags, granted);
  const waiting = await waitingAt(engine, run);
  const calls = chosen(names, waiting, runId);
  const { hash, reason = '' } = flags;
  for (const { callId, fingerprint } of calls)
    if (hash !== undefined && hash !== fingerprint)
      throw new UsageError(
        `The call ${callId} is not the one that was seen: its hash is ${fingerprint}, not ${hash}.`,
      );
  for (const { callId, fingerprint } of calls)
    await asked(() => engine.ingress.decide(run, { callId, fingerprint, granted, reason }));
  const left = waiting.filter((call) => !calls.includes(call));
  if (flags.json) writeDocument(runId, calls, granted, left);
  else {
    tellDecided(calls, granted, left);
    if (left.length === 0) tell('The run goes on by itself, as soon as a worker is there.');
  }
  return 0;
}

/** By its records: what was said meanwhile and was heard by no worker yet is not among them. */
export async function waitingAt({ admin }: Engine, run: EngineRun): Promise<WaitingCall[]> {
  const blobs = blobsFolder(undefined, workspacesFolder(undefined));
  const records = await asked(() => admin.records(run, 0, blobs));
  return records.length === 0 ? [] : waitingCalls(foldRecords(records));
}

async function newest({ admin }: Engine): Promise<EngineRun> {
  const [run] = await asked(() => admin.runs(1));
  if (run === undefined) throw new UsageError(`There is no run yet. Submit one: ${typed('submit')} "task".`);
  return run;
}
