/** `pawl log`: the records of a run, a line each. */
import { writeLines } from '../line-output.ts';
import { LogLines, outputColumns } from '../log-lines.ts';
import { type LastFlag, readRun, seqOf, tellDamage } from '../read-run.ts';
import { hasColours, styleOf } from '../style.ts';
import { tell } from '../tell.ts';

export interface LogFlags extends LastFlag {
  readonly from?: string;
  readonly json?: true;
}

/** @throws UsageError if there is no such run or no such record. @returns 50 where the journal is damaged */
export async function logCommand(name: string | undefined, flags: LogFlags): Promise<number> {
  const run = await readRun(name, flags);
  const { records, tornBytes } = run;
  const from = flags.from === undefined || records.length === 0 ? 0 : seqOf('--from', flags.from, run);
  const style = styleOf(hasColours(process.stdout, process.env));
  await writeLines(
    flags.json
      ? records.slice(from).map((record) => JSON.stringify(record))
      : new LogLines(records, outputColumns(), style).from(from),
  );
  if (tornBytes > 0) tell(`${tornBytes} bytes of an incomplete last record were left out.`);
  return tellDamage(run);
}
