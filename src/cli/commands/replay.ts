/** `pawl replay`: whether a record is true to today's machine, and what other limits would have made of the run. */
import { foldRecords } from '../../journal/fold.ts';
import { type Deviation, verifyRecords } from '../../journal/verify.ts';
import { type OtherLimits, whatIf } from '../../journal/what-if.ts';
import { INTERNAL_EXIT_CODE } from '../defects.ts';
import { differenceLines, differenceRecord } from '../difference-lines.ts';
import { counted, wrapped } from '../format.ts';
import { outputColumns } from '../log-lines.ts';
import { positiveWhole } from '../numbers.ts';
import { printableLine } from '../printable.ts';
import { type LastFlag, type ReadRun, readRun, tellDamage } from '../read-run.ts';
import { hasColours, styleOf } from '../style.ts';
import { whatIfRecord, whatIfText } from '../what-if-text.ts';

/** Of the limits that `run` takes, those that leave the requests as they were until they are reached. */
export interface ReplayFlags extends LastFlag {
  readonly maxTurns?: string;
  readonly tokenBudget?: string;
  readonly maxToolCalls?: string;
  /** False with --no-summary. */
  readonly summary: boolean;
  readonly json?: true;
}

/**
 * @returns 1 where a decision is not as it was recorded: a defect of pawl, or a record that was made up; 50 where the
 * journal is damaged and sound up to there
 * @throws UsageError if there is no such run
 */
export async function replayCommand(name: string | undefined, flags: ReplayFlags): Promise<number> {
  const limits = otherLimits(flags);
  const run = await readRun(name, flags);
  if (run.records.length === 0) return tellDamage(run);
  const deviation = verifyRecords(run.records);
  const lines = flags.json ? [jsonOf(run, deviation, limits)] : textOf(run, deviation, limits);
  process.stdout.write(`${lines.join('\n')}\n`);
  const damageCode = tellDamage(run);
  return deviation === undefined ? damageCode : INTERNAL_EXIT_CODE;
}

function otherLimits({ maxTurns, tokenBudget, maxToolCalls, summary }: ReplayFlags): OtherLimits | undefined {
  const limits = {
    ...(maxTurns !== undefined && { maxTurns: positiveWhole('--max-turns', maxTurns) }),
    ...(tokenBudget !== undefined && { tokenBudget: positiveWhole('--token-budget', tokenBudget) }),
    ...(maxToolCalls !== undefined && { maxToolCalls: positiveWhole('--max-tool-calls', maxToolCalls) }),
    ...(!summary && { summary }),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

function textOf(run: ReadRun, deviation: Deviation | undefined, limits: OtherLimits | undefined): string[] {
  const { records } = run;
  const [style, width] = [styleOf(hasColours(process.stdout, process.env)), outputColumns()];
  const wrap = (text: string) => wrapped(text.split(' '), outputColumns());
  if (deviation !== undefined) {
    const { seq, type, problem, differences } = deviation;
    return [
      style.red(wrap(`✗ record ${seq}, ${printableLine(type)}: ${printableLine(problem)}.`)),
      ...differenceLines(differences, width, style),
      ...(differences.length > 0 ? [style.dim('  - recorded, + decided now')] : []),
    ];
  }
  if (limits !== undefined) return [wrap(whatIfText(whatIf(records, limits), foldRecords(records)))];
  return [style.green(wrap(`✓ ${counted(records.length, 'record')}: every decision is as it was recorded.`))];
}

function jsonOf({ name, file, records }: ReadRun, deviation: Deviation | undefined, limits?: OtherLimits) {
  const hasWhatIf = limits !== undefined && deviation === undefined;
  const document = {
    run: name,
    records: records.length,
    is_as_recorded: deviation === undefined,
    deviation: deviation ? { ...deviation, differences: deviation.differences.map(differenceRecord) } : null,
    what_if: hasWhatIf ? whatIfRecord(whatIf(records, limits), foldRecords(records)) : null,
    journal: file,
  };
  return JSON.stringify(document, null, 2);
}
