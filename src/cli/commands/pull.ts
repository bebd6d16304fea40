/** `pawl pull`: brings the journal of a run from an engine to where the other commands find it. */
import { JournalCorrupt, JournalError } from '../../journal/journal.ts';
import { runPath, stateFolder } from '../../journal/location.ts';
import { pullJournal } from '../../restate/pull.ts';
import {
  asked,
  blobsFolder,
  type EngineFlags,
  engineOf,
  findEngineRun,
  workspacesFolder,
} from '../engine.ts';
import { rejectionOf, wasRejected } from '../engine-runs.ts';
import { counted } from '../format.ts';
import { printableLine, printableSentence } from '../printable.ts';
import { DAMAGED_EXIT_CODE } from '../read-run.ts';
import { tell } from '../tell.ts';
import { UsageError } from '../usage-error.ts';

export interface PullFlags extends EngineFlags {
  readonly blobs?: string;
}

/** @returns 50 where there is another journal of this name, or it cannot be written. @throws UsageError */
export async function pullCommand(run: string, flags: PullFlags): Promise<number> {
  const { admin } = await engineOf(flags);
  const found = await findEngineRun(admin, run);
  const blobs = blobsFolder(flags.blobs, workspacesFolder(undefined));
  const records = await asked(() => admin.records(found, 0, blobs));
  const rejection = rejectionOf(found);
  if (rejection !== undefined) throw new UsageError(wasRejected(found.runId, rejection));
  if (records.length === 0 && found.failure !== null)
    throw new UsageError(`The run ${found.runId} has no record: ${printableLine(found.failure.message)}`);
  if (records.length === 0) {
    tell(`The run ${found.runId} has not begun: no worker has taken it up yet.`);
    return 0;
  }
  const file = runPath(stateFolder(), found.runId);
  try {
    await pullJournal(file, records);
  } catch (error) {
    if (!(error instanceof JournalError || error instanceof JournalCorrupt)) throw error;
    process.stderr.write(`pawl: ${printableSentence(error.message)}\n`);
    return DAMAGED_EXIT_CODE;
  }
  process.stdout.write(`${found.runId}\n`);
  const state = records.at(-1)?.type === 'run.ended' ? '' : ', and the run goes on: pull it again later';
  tell(`${counted(records.length, 'record')} in ${printableLine(file)}${state}.`);
  return 0;
}
