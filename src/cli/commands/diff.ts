/** `pawl diff`: where two runs part. */
import { type Comparison, compareRuns } from '../../journal/compare.ts';
import { differenceLines, differenceRecord } from '../difference-lines.ts';
import { counted } from '../format.ts';
import { LogLines, outputColumns } from '../log-lines.ts';
import { printableLine } from '../printable.ts';
import { type ReadRun, readRun, tellDamage } from '../read-run.ts';
import { hasColours, type Style, styleOf } from '../style.ts';

/** @returns 0 whether or not they differ; 50 where a journal is damaged. @throws UsageError if there is no such run */
export async function diffCommand(left: string, right: string, asJson: boolean): Promise<number> {
  const [a, b] = [await readRun(left), await readRun(right)];
  const found = compareRuns(a.records, b.records);
  const style = styleOf(hasColours(process.stdout, process.env));
  const lines = asJson ? [JSON.stringify(document(a, b, found), null, 2)] : textLines(a, b, found, style);
  process.stdout.write(`${lines.join('\n')}\n`);
  return tellDamage(a) || tellDamage(b);
}

const document = (a: ReadRun, b: ReadRun, found: Comparison) => ({
  outcome: found.outcome,
  left: { run: a.name, records: a.records.length, journal: a.file },
  right: { run: b.name, records: b.records.length, journal: b.file },
  /** So many records are the same; the next one has this number. */
  equal_records: found.equal,
  shorter: found.outcome === 'prefix' ? found.shorter : null,
  differences: found.outcome === 'differ' ? found.differences.map(differenceRecord) : [],
});

function textLines(a: ReadRun, b: ReadRun, found: Comparison, style: Style): string[] {
  const { equal } = found;
  switch (found.outcome) {
    case 'same':
      return [`The runs are the same: ${counted(equal, 'record')}.`];
    case 'prefix': {
      const [short, long] = found.shorter === 'left' ? [a, b] : [b, a];
      return [
        `${printableLine(short.name)} is the beginning of ${printableLine(long.name)}: equal up to record ${equal - 1}; then:`,
        ...recordLines(long, equal, '  ', style),
      ];
    }
    case 'differ':
      return [
        equal === 0 ? 'The runs differ from the first record on:' : `equal up to record ${equal - 1}; then:`,
        ...recordLines(a, equal, style.red('- '), style),
        ...recordLines(b, equal, style.green('+ '), style),
        ...differenceLines(found.differences, outputColumns(), style),
      ];
  }
}

function recordLines({ records }: ReadRun, seq: number, mark: string, style: Style): string[] {
  const [line = ''] = new LogLines(records, outputColumns() - 2, style).from(seq);
  return [`${mark}${line}`];
}
