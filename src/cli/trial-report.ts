/** What a trial found, for people and for scripts. */
import stringWidth from 'fast-string-width';
import { differenceLines, differenceRecord } from './difference-lines.ts';
import { cost, counted } from './format.ts';
import { printableLine } from './printable.ts';
import { inShort } from './run-table.ts';
import type { Style } from './style.ts';
import { type Parting, partingOf } from './trial-compare.ts';
import type { TrialRun } from './trial-runs.ts';
import {
  histogramOf,
  type Interval,
  kValues,
  type PassFigures,
  passFigures,
  spreadOf,
  wilson,
} from './trial-statistics.ts';

export interface TrialFindings {
  readonly wanted: number;
  readonly runs: readonly TrialRun[];
  readonly figures: ReturnType<typeof figuresOf>;
  /** Of each run from the first one, where that is not the run itself: undefined. null: they are the same. */
  readonly partings: ReadonlyMap<number, Parting | null>;
}

export function findingsOf(wanted: number, runs: readonly TrialRun[]): TrialFindings {
  const [first, ...others] = runs;
  const partings = new Map(
    others.map((other) => [other.number, partingOf(first?.records ?? [], other.records)] as const),
  );
  return { wanted, runs, figures: figuresOf(runs), partings };
}

/** A run that a person cancelled says nothing of the task, and so does one that nobody could grade. */
const SAYS_NOTHING: readonly TrialRun['status'][] = ['cancelled', 'check_error'];

function figuresOf(all: readonly TrialRun[]) {
  const runs = all.filter(({ status }) => !SAYS_NOTHING.includes(status));
  const passed = runs.filter((one) => one.passed).length;
  return {
    counted: runs.length,
    passed,
    rate: runs.length === 0 ? null : wilson(runs.length, passed),
    passes: kValues(runs.length).map((k) => passFigures(runs.length, passed, k)),
    turns: spreadOf(runs.map(({ turns }) => turns)),
    tokens: spreadOf(runs.map(({ tokens }) => tokens)),
    costUsd: spreadOf(runs.flatMap(({ costUsd }) => costUsd ?? [])),
    statuses: histogramOf(all.map(({ status }) => status)),
    /** null: what one of them cost is not known, and neither is the sum. */
    totalUsd: all.reduce<number | null>(
      (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
      0,
    ),
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const interval = ({ low, high }: Interval): string =>
  `${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)} %`;

/** Columns are as wide as what is in them. @param texts how many of them stand left; figures stand right */
function table(rows: readonly (readonly string[])[], texts: number, style: Style): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  return rows.map((row, index) => {
    const line = row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
        return column < texts ? cell + padding : padding + cell;
      })
      .join('  ')
      .trimEnd();
    return index === 0 ? style.dim(line) : line;
  });
}

const passRow = ({ k, some, someInterval, every, everyInterval }: PassFigures): string[] => [
  String(k),
  percent(some),
  interval(someInterval),
  percent(every),
  interval(everyInterval),
];

export function trialText(findings: TrialFindings, width: number, style: Style): string[] {
  const { wanted, runs, figures, partings } = findings;
  const { counted: n, passed, passes, turns, tokens, costUsd, statuses, totalUsd } = figures;
  const place = ({ number }: TrialRun): string => {
    if (number === runs[0]?.number) return '-';
    const parting = partings.get(number);
    return parting ? String(parting.record) : 'nowhere';
  };
  const money = (usd: number | null): string => (usd ? cost(usd) : '-');
  const spread = (name: string, found: typeof turns, show: (value: number) => string) =>
    found === null ? [] : [[name, show(found.min), show(found.median), show(found.max)]];
  return [
    ...table(
      [
        ['run', 'id', 'status', 'turns', 'tokens', 'cost', 'parts at'],
        ...runs.map((run) => [
          String(run.number),
          run.runId,
          run.status,
          String(run.turns),
          inShort(run.tokens),
          money(run.costUsd),
          place(run),
        ]),
      ],
      3,
      style,
    ),
    '',
    ...(passes.length === 0
      ? []
      : [...table([['k', 'pass@k', '95 %', 'pass^k', '95 %'], ...passes.map(passRow)], 1, style), '']),
    ...table(
      [
        ['', 'min', 'median', 'max'],
        ...spread('turns', turns, String),
        ...spread('tokens', tokens, inShort),
        ...(totalUsd ? spread('cost', costUsd, cost) : []),
      ],
      1,
      style,
    ),
    '',
    ...partingLines(findings, width, style),
    statuses.map(([status, count]) => `${status} ${count}`).join(', '),
    `${style.bold(`${passed} of ${counted(n, 'run')} passed`)}${totalUsd ? `, ${cost(totalUsd)} in all` : ''}${
      runs.length < wanted ? `; ${wanted - runs.length} of ${wanted} were not started` : ''
    }`,
  ];
}

/** The earliest parting of all. */
function earliest({ partings }: TrialFindings): readonly [number: number, parting: Parting] | undefined {
  const parted = [...partings].flatMap(([number, parting]) => (parting ? [[number, parting] as const] : []));
  return parted.sort(([, a], [, b]) => a.record - b.record)[0];
}

function partingLines(findings: TrialFindings, width: number, style: Style): string[] {
  const first = findings.runs[0];
  const found = earliest(findings);
  if (first === undefined || findings.runs.length < 2) return [];
  if (found === undefined) return ['All runs went the same way.', ''];
  const [number, { record, differences }] = found;
  return [
    `The first record in which runs part is ${record}, in the runs ${first.number} and ${number}${
      differences.length === 0 ? ': one of them ends there.' : ':'
    }`,
    ...differenceLines(differences.slice(0, 1), width, style),
    '',
  ];
}

export function trialRecord(findings: TrialFindings, exitCode: number): object {
  const { wanted, runs, figures, partings } = findings;
  const found = earliest(findings);
  return {
    type: 'trial',
    exit_code: exitCode,
    runs_wanted: wanted,
    runs_started: runs.length,
    runs_counted: figures.counted,
    passed: figures.passed,
    pass_rate_95: figures.rate,
    pass: figures.passes.map(({ k, some, someInterval, every, everyInterval }) => ({
      k,
      pass_at_k: some,
      pass_at_k_95: someInterval,
      pass_hat_k: every,
      pass_hat_k_95: everyInterval,
    })),
    turns: figures.turns,
    tokens: figures.tokens,
    cost_usd: figures.totalUsd === null ? null : figures.costUsd,
    total_cost_usd: figures.totalUsd,
    statuses: Object.fromEntries(figures.statuses),
    first_parting: found
      ? {
          runs: [runs[0]?.number, found[0]],
          record: found[1].record,
          differences: found[1].differences.map(differenceRecord),
        }
      : null,
    runs: runs.map((run) => ({
      number: run.number,
      run_id: run.runId,
      status: run.status,
      passed: run.passed,
      num_turns: run.turns,
      tokens: run.tokens,
      cost_usd: run.costUsd,
      duration_ms: run.durationMs,
      parts_at: partings.get(run.number)?.record ?? null,
      errors: run.errors.map(printableLine),
    })),
  };
}
