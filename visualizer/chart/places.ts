/** Sizes and places of what the chart draws, in units of the sheet. */
import type { Arrow, Box, Pill } from './graph.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type Point = readonly [x: number, y: number];

/** As it is stored: in the order of the graph's boxes and arrows. The first box is the sheet. */
export interface Layout {
  /** x, y, width and height in units of the grid. */
  readonly boxes: readonly (readonly number[])[];
  /** x and y of each corner, in the same. */
  readonly arrows: readonly (readonly number[])[];
  /** x and y of the labels, in units of the sheet; empty: there is none. */
  readonly labels: readonly (readonly number[])[];
}

/** Boxes begin and end on lines of a grid, and arrows run along them. */
export const GRID = 10;
/** Widths of letters: labels are set in a monospaced face, and titles in one that is not wider than this. */
const LABEL_LETTER = 6.05;
const TITLE_LETTER = 7;
const JOB_LETTER = 5.45;
const PILL_LETTER = 5.6;
export const LABEL_LINE = 13;
/** The row of the title, and that of the job and the pills. */
export const HEAD = 30;
export const MORE = 20;
export const END_ROW = 20;
export const PAD = 10;
const SIGN = 16;
/** What stands on the right of a title: visits and time. */
const FIGURES = 50;
/** A dot, and the space behind it. */
const DOT = 13;

export const pillWidth = ({ text, sign }: Pill): number =>
  sign === null ? Math.ceil(text.length * PILL_LETTER + 12) : SIGN;
export const pillsWidth = (pills: readonly Pill[]): number =>
  pills.reduce((sum, pill) => sum + pillWidth(pill) + 3, 0);
export const jobWidth = (job: string | null): number => (job === null ? 0 : job.length * JOB_LETTER + 8);

const upTo = (size: number): number => Math.ceil(size / GRID) * GRID;

/** Of a box that has nothing inside; of one that has, the least. */
export function sizeOf(box: Box): { width: number; height: number } {
  if (box.ends.length > 0) {
    const longest = Math.max(...box.ends.map((end) => end.length));
    return { width: upTo(longest * 6.8 + 44), height: upTo(box.ends.length * END_ROW + 8) };
  }
  const title = DOT + box.title.length * TITLE_LETTER + FIGURES;
  const width = Math.max(title, jobWidth(box.job) + pillsWidth(box.pills)) + PAD * 2;
  return { width: upTo(width), height: hasMore(box) ? HEAD + MORE : HEAD };
}

/** The title on the left, the figures on the right, and what stands below. */
export function writtenIn(box: Box & Place): Place[] {
  const { x, y, width, title, job, pills } = box;
  const below = PAD + jobWidth(job) + pillsWidth(pills);
  return [
    { x, y, width: PAD + DOT + title.length * TITLE_LETTER, height: HEAD - GRID },
    { x: x + width - FIGURES - PAD, y, width: FIGURES + PAD, height: HEAD - GRID },
    ...(hasMore(box) ? [{ x, y: y + HEAD - GRID, width: below, height: MORE }] : []),
  ];
}

export const hasMore = ({ job, pills }: Box): boolean => job !== null || pills.length > 0;

export const labelSize = ({ lines }: Arrow): { width: number; height: number } => ({
  width: Math.ceil(Math.max(...lines.map((line) => line.length)) * LABEL_LETTER + 10),
  height: lines.length * LABEL_LINE + 4,
});

export const rounded = ({ x, y, width, height }: Place): Place => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
});
