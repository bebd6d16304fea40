/** Runs as a table that fits the terminal. Names and dates are in the ids, so what is told of time is how long ago. */
import { totalTokens } from '../../machines/reply.ts';
import type { RunEntry } from '../journal/catalog.ts';
import { fitted } from './fitted.ts';
import { printableLine } from './printable.ts';
import { usageRecord } from './result-record.ts';
import type { Style } from './style.ts';

type Cells = readonly [string, ...string[]];

const HEAD: Cells = ['run', 'age', 'status', 'turns', 'tokens', 'cost', 'task'];
/** Figures stand at the right of their column. */
const FIGURES: ReadonlySet<number> = new Set([1, 3, 4, 5]);
const GAP = '  ';
const NARROWEST_TASK = 12;

/** @param now in milliseconds. @param width columns that no line exceeds, if there is any room for the task then */
export function tableLines(entries: readonly RunEntry[], now: number, width: number, style: Style): string[] {
  const rows = entries.map((entry) => cellsOf(entry, now));
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const room = Math.max(NARROWEST_TASK, width - before);
  const line = (cells: Cells, paintStatus: (text: string) => string) =>
    cells
      .map((cell, column) => {
        if (column === HEAD.length - 1) return fitted(cell, room);
        const columnWidth = widths[column] ?? 0;
        const padded = FIGURES.has(column) ? cell.padStart(columnWidth) : cell.padEnd(columnWidth);
        return column === 2 ? paintStatus(padded) : padded;
      })
      .join(GAP)
      .trimEnd();
  const painted = rows.map((row, index) => line(row, paintOf(entries[index]?.status, style)));
  return [style.dim(line(HEAD, (text) => text)), ...painted];
}

function cellsOf(entry: RunEntry, now: number): Cells {
  const { runId, status } = entry;
  if (status === 'damaged')
    return [printableLine(runId), '-', status, '-', '-', '-', printableLine(entry.problem)];
  return [
    printableLine(runId),
    age(now - Date.parse(entry.startedAt)),
    status,
    String(entry.turns),
    inShort(totalTokens(entry.usage)),
    entry.costUsd > 0 ? `$${entry.costUsd.toFixed(2)}` : '-',
    printableLine(entry.task.trim().replaceAll(/\s+/g, ' ')),
  ];
}

function paintOf(status: RunEntry['status'] | undefined, { green, yellow, red, cyan }: Style) {
  if (status === 'answered') return green;
  if (status === 'running') return cyan;
  return status === 'damaged' ? red : yellow;
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
export function entryRecord(entry: RunEntry) {
  const { runId, file, status } = entry;
  const sound = status === 'damaged' ? undefined : entry;
  return {
    run_id: runId,
    status,
    started_at: sound?.startedAt ?? null,
    num_turns: sound?.turns ?? null,
    usage: sound ? usageRecord(sound.usage) : null,
    tokens: sound ? totalTokens(sound.usage) : null,
    cost_usd: sound?.costUsd ?? null,
    task: sound?.task ?? null,
    model: sound?.model ?? null,
    workspace: sound?.workspace ?? null,
    problem: status === 'damaged' ? entry.problem : null,
    journal: file,
  };
}
