/** Runs as a table that fits the terminal. Names and dates are in the ids, so what is told of time is how long ago. */
import stringWidth from 'fast-string-width';
import { totalTokens } from '../../machines/reply.ts';
import type { ListedRun } from './engine-runs.ts';
import { fitted } from './fitted.ts';
import { cost } from './format.ts';
import { printableLine } from './printable.ts';
import { costRecord, usageRecord } from './result-record.ts';
import type { Style } from './style.ts';

type Column = 'run' | 'age' | 'status' | 'turns' | 'tokens' | 'cost' | 'task';
type Cells = Readonly<Record<Column, string>>;

const COLUMNS: readonly Column[] = ['run', 'age', 'status', 'turns', 'tokens', 'cost', 'task'];
/** What there may be no room for, the least important first. */
const SPARED: readonly Column[] = ['cost', 'tokens', 'turns', 'age'];
const FIGURES: ReadonlySet<Column> = new Set(['age', 'turns', 'tokens', 'cost']);
const HEAD = Object.fromEntries(COLUMNS.map((column) => [column, column])) as Cells;
const GAP = '  ';
const NARROWEST_TASK = 10;
/** An id that pawl made is shown whole; one of a file that somebody named may fill half of the line. */
const LONGEST_ID = 21;

/** @param now in milliseconds. @param width columns that no line exceeds, if id and status have room in them */
export function tableLines(
  entries: readonly ListedRun[],
  now: number,
  width: number,
  style: Style,
): string[] {
  const longestId = Math.max(LONGEST_ID, Math.floor(width / 2));
  const rows = entries.map((entry) => cellsOf(entry, now, longestId));
  const widthOf = (column: Column) => Math.max(...[HEAD, ...rows].map((row) => stringWidth(row[column])));
  const widths = new Map(COLUMNS.map((column) => [column, column === 'task' ? 0 : widthOf(column)] as const));
  const roomIn = (columns: readonly Column[]) =>
    width - columns.reduce((sum, column) => sum + (widths.get(column) ?? 0) + GAP.length, -GAP.length);
  let columns = COLUMNS;
  for (const spared of SPARED)
    if (roomIn(columns) < NARROWEST_TASK) columns = columns.filter((column) => column !== spared);
  const line = (row: Cells, paintStatus: (text: string) => string) =>
    columns
      .map((column) => {
        if (column === 'task') return fitted(row.task, roomIn(columns));
        const padding = ' '.repeat((widths.get(column) ?? 0) - stringWidth(row[column]));
        const padded = FIGURES.has(column) ? padding + row[column] : row[column] + padding;
        return column === 'status' ? paintStatus(padded) : padded;
      })
      .join(GAP)
      .trimEnd();
  return [
    style.dim(line(HEAD, (text) => text)),
    ...rows.map((row, index) => line(row, paintOf(entries[index]?.status, style))),
  ];
}

function cellsOf(entry: ListedRun, now: number, longestId: number): Cells {
  const { status } = entry;
  const run = fitted(printableLine(entry.runId), longestId);
  if (status === 'damaged')
    return { ...NO_FIGURES, run, age: '-', status, task: printableLine(entry.problem) };
  const sinceStart = age(now - Date.parse(entry.startedAt));
  if (status === 'rejected') {
    const task = printableLine(
      [entry.problem, ...(entry.task === null ? [] : [inOneLine(entry.task)])].join(' · '),
    );
    return { ...NO_FIGURES, run, age: sinceStart, status, task };
  }
  return {
    run,
    age: sinceStart,
    status,
    turns: String(entry.turns),
    tokens: inShort(totalTokens(entry.usage)),
    cost: entry.costUsd > 0 ? cost(entry.costUsd) : '-',
    task: printableLine(inOneLine(entry.task)),
  };
}

const NO_FIGURES = { turns: '-', tokens: '-', cost: '-' };

const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

function paintOf(status: ListedRun['status'] | undefined, { green, yellow, red, cyan }: Style) {
  if (status === 'answered') return green;
  if (status === 'running') return cyan;
  return status === 'damaged' || status === 'rejected' ? red : yellow;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** One figure, rounded down: "12 s", "5 min", "30 h", "12 d". */
export function age(ms: number): string {
  if (Number.isNaN(ms)) return '?';
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`;
}

/** "950", "12.3k", "4.5M". */
export function inShort(count: number): string {
  if (count < 1_000) return String(count);
  return count < 999_950 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** What scripts get of a run. Fields that a damaged one does not tell are null. */
export function entryRecord(entry: ListedRun) {
  const { runId, file, status } = entry;
  const sound = status === 'damaged' || status === 'rejected' ? undefined : entry;
  const known = status === 'damaged' ? undefined : entry;
  return {
    run_id: runId,
    status,
    started_at: known?.startedAt ?? null,
    num_turns: sound?.turns ?? null,
    usage: sound ? usageRecord(sound.usage) : null,
    tokens: sound ? totalTokens(sound.usage) : null,
    cost_usd: sound ? costRecord(sound.costUsd) : null,
    task: known?.task ?? null,
    model: sound?.model ?? null,
    workspace: sound?.workspace ?? null,
    problem: entry.problem ?? null,
    journal: file,
  };
}
