/** A place for the label of each arrow: on its line or beside it, near its beginning, and over nothing else if that can be had. */
import type { Arrow, Box } from './graph.ts';
import { labelSize, type Place, type Point, rounded, writtenIn } from './places.ts';

type Drawn = Arrow & { readonly points: readonly Point[] };
export type Labelled = Drawn & { readonly label: Place | null };

const STEP = 7;
const ROUNDS = 3;
const SIDES = [
  [0, 0],
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;
/**
 * What it costs to cover: a box, a label or what is written in a box around, another arrow; to leave the sheet; to stand
 * beside the line instead of on it; and to be a unit away from the beginning.
 */
const COST = { solid: 1_000, line: 22, outside: 1_000, beside: 20, way: 0.16 };

/** @param sheet how large it is; without it, there is no end to it */
export function placeLabels(
  boxes: readonly (Box & Place)[],
  arrows: readonly Drawn[],
  sheet = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY },
): Labelled[] {
  const parents = new Set(boxes.map(({ parent }) => parent));
  const solid = boxes.flatMap((box): Place[] =>
    parents.has(box.name) ? (box.parent === null ? [] : writtenIn(box)) : [box],
  );
  const segments = arrows.map(({ points }) => segmentsOf(points));
  const labels: (Place | null)[] = arrows.map(() => null);
  const place = (arrow: Drawn, index: number): Place | null => {
    if (arrow.lines.length === 0) return null;
    const size = labelSize(arrow);
    const lines = segments.filter((_, other) => other !== index).flat();
    const taken = [
      ...solid,
      ...labels.filter((label, other) => label !== null && other !== index),
    ] as Place[];
    const costOf = (found: Place, way: number) =>
      COST.solid * taken.filter((other) => overlap(found, other)).length +
      COST.line * lines.filter((other) => overlap(found, other)).length +
      COST.outside * (isOutside(found, sheet) ? 1 : 0) +
      COST.way * way;
    let best: { found: Place; cost: number } | null = null;
    for (const { at, way } of alongside(arrow.points))
      for (const [dx, dy] of SIDES) {
        const [left, top] = [dx * (size.width / 2 + 4), dy * (size.height / 2 + 4)];
        const found = { x: at[0] - size.width / 2 + left, y: at[1] - size.height / 2 + top, ...size };
        const cost = costOf(found, way) + (dx === 0 && dy === 0 ? 0 : COST.beside);
        if (best === null || cost < best.cost) best = { found, cost };
      }
    return best && rounded(best.found);
  };
  // What was placed first did not know where the others would stand.
  for (let round = 0; round < ROUNDS; round += 1)
    arrows.forEach((arrow, index) => {
      labels[index] = place(arrow, index);
    });
  return arrows.map((arrow, index) => ({ ...arrow, label: labels[index] ?? null }));
}

function* alongside(points: readonly Point[]): Generator<{ at: Point; way: number }> {
  let way = 0;
  for (const [from, to] of pairs(points)) {
    const length = Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]);
    for (let done = STEP; done < length; done += STEP) {
      const part = done / length;
      yield {
        at: [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part],
        way: way + done,
      };
    }
    way += length;
  }
}

const pairs = (points: readonly Point[]): (readonly [Point, Point])[] =>
  points.slice(1).map((to, index) => [points[index] as Point, to]);

/** Lines are drawn along the axes: each is a thin box. */
const segmentsOf = (points: readonly Point[]): Place[] =>
  pairs(points).map(([from, to]) => ({
    x: Math.min(from[0], to[0]) - 1,
    y: Math.min(from[1], to[1]) - 1,
    width: Math.abs(to[0] - from[0]) + 2,
    height: Math.abs(to[1] - from[1]) + 2,
  }));

const isOutside = ({ x, y, width, height }: Place, sheet: { width: number; height: number }): boolean =>
  x < 0 || y < 0 || x + width > sheet.width || y + height > sheet.height;

const overlap = (one: Place, other: Place): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
