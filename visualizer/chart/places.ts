/** Sizes and places of what the chart draws, in units of the sheet. */
import type { Arrow, Box } from './graph.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type Point = readonly [x: number, y: number];

/** As it is stored: by the names of boxes, and of the two ends of an arrow. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: { readonly [name: string]: readonly number[] };
  readonly arrows: {
    readonly [ends: string]: { readonly points: readonly number[]; readonly label: readonly number[] | null };
  };
}

/** Widths of letters: labels are set in a monospaced face, and titles in one that is not wider than this. */
const LABEL_LETTER = 6.05;
const TITLE_LETTER = 7.6;
export const LABEL_LINE = 13;
export const HEAD = 30;
export const JOB = 16;
export const PILLS = 22;
export const END_ROW = 22;
export const PAD = 12;
/** What stands on the right of a title: visits and time. */
const FIGURES = 62;
const PILL_LETTER = 5.6;

export const pillWidth = (text: string, leaves: boolean): number =>
  Math.ceil(text.length * PILL_LETTER + (leaves ? 22 : 12));

export function sizeOf(box: Box): { width: number; height: number } {
  if (box.ends.length > 0) {
    const longest = Math.max(...box.ends.map((end) => end.length));
    return { width: Math.ceil(longest * 7.2 + 52), height: box.ends.length * END_ROW + 10 };
  }
  const width = Math.max(
    box.title.length * TITLE_LETTER + FIGURES,
    (box.job?.length ?? 0) * 6.6 + 16,
    box.pills.reduce((sum, { text, leaves }) => sum + pillWidth(text, leaves) + 4, 0),
  );
  const height = HEAD + (box.job === null ? 0 : JOB) + (box.pills.length === 0 ? 4 : PILLS);
  return { width: Math.ceil(width + PAD * 2), height };
}

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
