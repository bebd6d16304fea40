/** Words on calls of runs that an engine has. It keeps them: no worker need be there. */
import { foldRecords } from '../journal/fold.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { EngineRun } from '../restate/admin.ts';
import { type WaitingCall, waitingCalls } from '../waiting.ts';
import type { DecideFlags } from './commands/decide.ts';
import { checkHash, chosen, sayWhichCall, sayWhichRun, tellDecided, writeDocument } from './decided-calls.ts';
import { asked, blobsFolder, type Engine, engineOf, findEngineRun, workspacesFolder } from './engine.ts';
import { printableLine } from './printable.ts';
import { tell } from './tell.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';
import { shellWord, waitingInShort } from './waiting-lines.ts';

/** @throws UsageError for a run or a call that does not wait, or was decided about before */
export async function decideAtEngine(
  words: readonly string[],
  flags: DecideFlags,
  granted: boolean,
): Promise<number> {
  if (words.length === 0 && !flags.last) throw sayWhichRun(granted);
  const engine = await engineOf(flags);
  const [run, names] = flags.last
    ? [await newest(engine), words]
    : [await findEngineRun(engine.admin, words[0] ?? ''), words.slice(1)];
  const { runId } = run;
  checkHash(names, flags);
  const { waiting, decided, isCancelled } = await callsAt(engine, run);
  if (isCancelled) throw new UsageError(`The run ${runId} was told to end: no call of it is run any more.`);
  if (names.length === 0)
    throw sayWhichCall(waiting, runId, granted, ` --restate ${shellWord(engine.ingress.url)}`);
  checkIsFirst(
    decided.filter(({ callId }) => names.includes(callId)),
    waiting,
  );
  const calls = chosen(names, waiting, runId);
  const { hash, reason = '' } = flags;
  for (const { callId, fingerprint } of calls)
    if (hash !== undefined && hash !== fingerprint)
      throw new UsageError(
        `The call ${callId} is not the one that was seen: its hash is ${fingerprint}, not ${hash}.`,
      );
  const late: WaitingCall[] = [];
  for (const call of calls) {
    const { callId, fingerprint } = call;
    const counts = await asked(() => engine.ingress.decide(run, { callId, fingerprint, granted, reason }));
    if (!counts) late.push(call);
  }
  const ours = calls.filter((call) => !late.includes(call));
  const left = waiting.filter((call) => !calls.includes(call));
  if (flags.json && ours.length > 0) writeDocument(runId, ours, granted, left);
  else if (!flags.json) {
    tellDecided(ours, granted, left);
    if (left.length === 0 && ours.length > 0)
      tell('The run goes on by itself, as soon as a worker is there.');
  }
  // Somebody else was faster by a moment. What was decided about with the same command stays so.
  checkIsFirst(late, left);
  return 0;
}

/** @param late calls that somebody has decided about before. @throws UsageError where there are any */
function checkIsFirst(late: readonly WaitingCall[], waiting: readonly WaitingCall[]): void {
  if (late.length === 0) return;
  const calls = late.map(({ callId }) => callId).join(', ');
  const are = late.length === 1 ? 'is' : 'are';
  throw new UsageError(
    printableLine(`${calls} ${are} decided about already: the first word counts. ${waitingInShort(waiting)}`),
  );
}

interface CallsOfRun {
  readonly records: readonly JournalRecord[];
  readonly waiting: readonly WaitingCall[];
  /** No worker has heard of it yet. */
  readonly decided: readonly WaitingCall[];
  /** The run was told to end, so that nothing waits. */
  readonly isCancelled: boolean;
}

/** By its records, and by what was said to it since: the engine keeps that where no worker is there to hear it. */
export async function callsAt({ admin }: Engine, run: EngineRun): Promise<CallsOfRun> {
  const blobs = blobsFolder(undefined, workspacesFolder(undefined));
  const records = await asked(() => admin.records(run, 0, blobs));
  const calls = records.length === 0 ? [] : waitingCalls(foldRecords(records));
  if (calls.length === 0) return { records, waiting: [], decided: [], isCancelled: false };
  const words = await asked(() => admin.words(run));
  const { isCancelled } = words;
  const decided = calls.filter((call) => words.isDecided(call));
  const waiting = isCancelled ? [] : calls.filter((call) => !decided.includes(call));
  return { records, waiting, decided, isCancelled };
}

async function newest({ admin }: Engine): Promise<EngineRun> {
  const [run] = await asked(() => admin.runs(1));
  if (run === undefined) throw new UsageError(`There is no run yet. Submit one: ${typed('submit')} "task".`);
  return run;
}
