/** The findings of `pawl crashtest` for people and for scripts. */
import type { Findings, Judged } from './crash-findings.ts';
import { problemsOf, type Verdict } from './crash-verdict.ts';
import { counted, duration } from './format.ts';
import { printableLine } from './printable.ts';
import type { Style } from './style.ts';
import { typed } from './typed.ts';

/** In the order of the table, with the words of it. */
const KINDS = [
  ['effectsDoneTwice', 'effects done twice'],
  ['lostRecords', 'lost records'],
  ['refusedHistories', 'refused histories'],
  ['differingEnds', 'differing ends'],
] as const satisfies readonly (readonly [keyof Verdict, string])[];

const countOf = (judged: readonly Judged[], kind: keyof Verdict): number =>
  judged.reduce((sum, { verdict }) => sum + verdict[kind].length, 0);

export const failuresIn = (judged: readonly Judged[]): Judged[] =>
  judged.filter(({ verdict }) => problemsOf(verdict).length > 0);

const processesIn = (judged: readonly Judged[]): number =>
  judged.reduce((sum, { trial }) => sum + trial.processes, 0);

export function crashText({ status, instants, judged, durationMs }: Findings, style: Style): string[] {
  const failures = failuresIn(judged);
  const figures = `${counted(instants, 'instant')} · ${counted(processesIn(judged), 'process start')} · ${duration(durationMs)} · undisturbed it ends as ${status}`;
  return [
    ...KINDS.map(([kind, words]) => {
      const count = countOf(judged, kind);
      return `${words.padEnd(20)} ${count === 0 ? style.green('0') : style.red(String(count))}`;
    }),
    ...failures.flatMap(({ instant, trial, verdict }) => [
      style.red(instant === 0 ? '✗ undisturbed' : `✗ instant ${instant}, ${trial.diedAt}`),
      ...problemsOf(verdict).map((problem) => `    ${printableLine(problem)}`),
      `    look at it: ${typed('log')} ${trial.folder}/journal.jsonl`,
    ]),
    `${failures.length === 0 ? style.green('✓') : style.red('✗')} ${style.dim(figures)}`,
  ];
}

export function crashRecord({ status, instants, judged, durationMs }: Findings, exitCode: number): object {
  return {
    type: 'crashtest',
    exit_code: exitCode,
    status,
    instants,
    processes: processesIn(judged),
    effects_done_twice: countOf(judged, 'effectsDoneTwice'),
    lost_records: countOf(judged, 'lostRecords'),
    refused_histories: countOf(judged, 'refusedHistories'),
    differing_ends: countOf(judged, 'differingEnds'),
    failures: failuresIn(judged).map(({ instant, trial, verdict }) => ({
      instant,
      at: trial.diedAt,
      problems: problemsOf(verdict),
      folder: trial.folder,
    })),
    duration_ms: Math.round(durationMs),
  };
}
