/** `pawl show`: the state of a run at any of its records, from its journal alone. */
import { JournalError } from '../../journal/journal.ts';
import { outputColumns } from '../log-lines.ts';
import { printableSentence } from '../printable.ts';
import { DAMAGED_EXIT_CODE, type LastFlag, type ReadRun, readRun, seqOf, tellDamage } from '../read-run.ts';
import { type RunState, stateAt, stateText } from '../run-state.ts';
import { tellError } from '../tell.ts';

export interface ShowFlags extends LastFlag {
  /** Number of a record; else the last one. */
  readonly at?: string;
  readonly json?: true;
}

/**
 * @param name id of a run, a beginning of it, or path of a journal
 * @returns 50 where the journal is damaged: what is before that is shown; or where nobody can tell who holds it
 * @throws UsageError if there is no such run or no such record
 */
export async function showCommand(name: string | undefined, flags: ShowFlags): Promise<number> {
  const run = await readRun(name, flags);
  if (run.records.length === 0) return tellDamage(run);
  const at = flags.at === undefined ? run.records.length - 1 : seqOf('--at', flags.at, run);
  const state = stateOf(run, at);
  if (state === undefined) return DAMAGED_EXIT_CODE;
  process.stdout.write(
    flags.json ? `${JSON.stringify(state, null, 2)}\n` : stateText(state, run.name, outputColumns()),
  );
  return tellDamage(run);
}

/** undefined: its lock cannot be looked at, and that was told. */
function stateOf(run: ReadRun, at: number): RunState | undefined {
  try {
    return stateAt(run, at);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    tellError(printableSentence(error.message));
    return undefined;
  }
}
