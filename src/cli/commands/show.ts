/** `pawl show`: the state of a run at any of its records, from its journal alone. */
import { outputWidth } from '../log-lines.ts';
import { readRun, seqOf, tellDamage } from '../read-run.ts';
import { stateAt, stateText } from '../run-state.ts';

export interface ShowFlags {
  /** Number of a record; else the last one. */
  readonly at?: string;
  readonly json?: true;
}

/**
 * @param name id of a run, a beginning of it, or path of a journal
 * @returns 50 where the journal is damaged: what is before that is shown
 * @throws UsageError if there is no such run or no such record
 */
export async function showCommand(name: string, flags: ShowFlags): Promise<number> {
  const run = await readRun(name);
  if (run.records.length === 0) return tellDamage(run);
  const at = flags.at === undefined ? run.records.length - 1 : seqOf('--at', flags.at, run);
  const state = stateAt(run, at);
  process.stdout.write(
    flags.json ? `${JSON.stringify(state, null, 2)}\n` : stateText(state, run.name, outputWidth()),
  );
  return tellDamage(run);
}
