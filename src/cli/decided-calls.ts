/** Calls that a person decides about: which are meant, and what is told of the decision. */
import type { WaitingCall } from '../waiting.ts';
import { quoted, shortName } from './format.ts';
import { printableLine } from './printable.ts';
import { waitingRecord } from './result-record.ts';
import { tell } from './tell.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';
import { shellWord, waitingInShort } from './waiting-lines.ts';

/** @throws UsageError where one hash is to be that of several calls */
export function checkHash(names: readonly string[], { hash }: { readonly hash?: string }): void {
  if (hash !== undefined && names.length > 1)
    throw new UsageError('--hash is that of one call. Decide about the others with further commands.');
}

/** Where no run is named either. */
export const sayWhichRun = (granted: boolean): UsageError =>
  new UsageError(
    `Say which run and which call: ${decision(granted)} RUN CALL. ${typed('approvals')} lists what waits.`,
  );

/**
 * Where no call is named: even the only one is not meant by saying nothing, since it may be another one by now.
 * @param where behind the command: the engine that has the run
 */
export function sayWhichCall(
  waiting: readonly WaitingCall[],
  run: string,
  granted: boolean,
  where = '',
): UsageError {
  const [only] = waiting;
  const call = only && waiting.length === 1 ? shellWord(only.callId) : 'CALL';
  const command = `${decision(granted)} ${shellWord(run)} ${call}${where}`;
  const shown =
    waiting.length > 0
      ? ` ${typed('approvals')}${where} shows what ${waiting.length === 1 ? 'it' : 'each'} would do.`
      : '';
  return new UsageError(`Say which call: ${command}. ${waitingInShort(waiting)}${shown}`);
}

const decision = (granted: boolean): string => typed(granted ? 'approve' : 'deny');

/** @throws UsageError for a name that is not that of one waiting call */
export function chosen(
  names: readonly string[],
  waiting: readonly WaitingCall[],
  run: string,
): WaitingCall[] {
  return names.map((name) => {
    const exact = waiting.filter(({ callId }) => callId === name);
    const found = exact.length > 0 ? exact : waiting.filter(({ callId }) => callId.startsWith(name));
    const [call] = found;
    if (call !== undefined && found.length === 1) return call;
    const problem = found.length > 1 ? 'is the beginning of several calls' : 'does not wait for an approval';
    throw new UsageError(`${quoted(name)} ${problem} in the run ${run}. ${waitingInShort(waiting)}`);
  });
}

export function writeDocument(
  runId: string,
  calls: readonly WaitingCall[],
  granted: boolean,
  waiting: readonly WaitingCall[],
): void {
  const decided = calls.map(({ callId, tool }) => ({ call_id: callId, tool, granted }));
  const document = { run_id: runId, decided, waiting: waiting.map(waitingRecord) };
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

export function tellDecided(
  calls: readonly WaitingCall[],
  granted: boolean,
  waiting: readonly WaitingCall[],
): void {
  const word = granted ? 'approved' : 'denied';
  for (const { callId, tool } of calls)
    process.stdout.write(`${word} ${shortName(tool)} ${printableLine(callId)}\n`);
  if (waiting.length > 0) tell(printableLine(waitingInShort(waiting)));
}
