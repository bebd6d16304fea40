/** Calls that a person decides about: which are meant, and what is told of the decision. */
import type { WaitingCall } from '../waiting.ts';
import { quoted, shortName } from './format.ts';
import { printableLine } from './printable.ts';
import { waitingRecord } from './result-record.ts';
import { tell } from './tell.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';
import { waitingInShort } from './waiting-lines.ts';

/** @throws UsageError where no call is named, or one hash is to be that of several */
export function checkNames(
  names: readonly string[],
  run: string,
  { hash }: { readonly hash?: string },
  granted: boolean,
): void {
  if (names.length === 0)
    throw new UsageError(
      `Say which call: ${typed(granted ? 'approve' : 'deny')} ${run} CALL. ${typed('approvals')} lists what waits.`,
    );
  if (hash !== undefined && names.length > 1)
    throw new UsageError('--hash is that of one call. Decide about the others with further commands.');
}

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
