/** `pawl fork`: a new run that begins as another one did. Executes nothing and asks no model. */
import { foldRecords } from '../../journal/fold.ts';
import { CannotInstruct, forkedRecords, writeJournal } from '../../journal/fork.ts';
import { JournalError } from '../../journal/journal.ts';
import { newRunId, runPath, stateFolder } from '../../journal/location.ts';
import type { JournalRecord } from '../../journal/record.ts';
import { VERSION } from '../../version.ts';
import { printableLine, printableSentence } from '../printable.ts';
import { DAMAGED_EXIT_CODE, type LastFlag, type ReadRun, readRun, seqOf, tellDamage } from '../read-run.ts';
import { tell, tellError } from '../tell.ts';
import { typed } from '../typed.ts';
import { UsageError } from '../usage-error.ts';

export interface ForkFlags extends LastFlag {
  /** Number of the last record that is taken along; else the last one there is. */
  readonly at?: string;
  readonly task?: string;
  readonly json?: true;
}

/**
 * @returns 50 where the journal is damaged before the record, or the new one cannot be written
 * @throws UsageError if no run is meant, or there is no such run or record
 */
export async function forkCommand(name: string | undefined, flags: ForkFlags): Promise<number> {
  if (flags.task?.trim() === '') throw new UsageError('--task must not be empty.');
  const run = await readRun(name, flags);
  const at = placeIn(run, flags.at);
  if (at === undefined) return tellDamage(run);
  const now = Date.now();
  const runId = newRunId(now, Math.random);
  const records = recordsOf(run, at, runId, now, flags.task);
  const file = runPath(stateFolder(), runId);
  try {
    writeJournal(file, records);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    tellError(printableSentence(error.message));
    return DAMAGED_EXIT_CODE;
  }
  const state = foldRecords(records).state;
  const origin = { run_id: originOf(records), seq: at };
  const document = { run_id: runId, origin, state, records: records.length, journal: file };
  process.stdout.write(flags.json ? `${JSON.stringify(document, null, 2)}\n` : `${runId}\n`);
  tell(
    `Forked ${printableLine(run.name)} at record ${at} of ${run.records.length - 1}, ${state}. Go on with: ${typed('resume')} ${runId}`,
  );
  return 0;
}

/** Of a damaged journal the good part can be taken along, if it is asked for; undefined: it is not. */
function placeIn(run: ReadRun, at: string | undefined): number | undefined {
  const { records, damage } = run;
  if (damage === null) return at === undefined ? records.length - 1 : seqOf('--at', at, run);
  const isSound = at !== undefined && /^[0-9]+$/.test(at) && Number(at) < records.length;
  return isSound ? seqOf('--at', at, run) : undefined;
}

function recordsOf(run: ReadRun, at: number, runId: string, now: number, task: string | undefined) {
  try {
    return forkedRecords(run.records.slice(0, at + 1), {
      runId,
      pawl: VERSION,
      now,
      ...(task !== undefined && { task }),
    });
  } catch (error) {
    if (error instanceof CannotInstruct)
      throw new UsageError(`--task cannot be added at record ${at}: ${error.message}. Name another record.`);
    throw error;
  }
}

const originOf = ([header]: readonly JournalRecord[]): string | null =>
  header?.type === 'run.started' ? (header.origin?.runId ?? null) : null;
