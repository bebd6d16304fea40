/** A place for the label of each arrow: on its line or beside it, near its beginning, and over nothing else if that can be had. */
import type { Arrow, Box } from './graph.ts';
import { HEAD, labelSize, type Place, type Point, rounded } from './places.ts';

type Drawn = Arrow & { readonly points: readonly Point[] };
export type Labelled = Drawn & { readonly label: Place | null };

const STEP = 7;
/**
 * What it costs to cover: a box or a label, the head of a box, another arrow; to stand beside the line instead of on it;
 * and to be a unit away from the beginning.
 */
const COST = { solid: 1_000, head: 400, line: 25, beside: 20, way: 0.06 };

export function placeLabels(boxes: readonly (Box & Place)[], arrows: readonly Drawn[]): Labelled[] {
  const parents = new Set(boxes.map(({ parent }) => parent));
  const solid = boxes.filter(({ name }) => !parents.has(name)) as Place[];
  const heads = boxes
    .filter(({ name, parent }) => parents.has(name) && parent !== null)
    .map((box): Place => ({ ...box, height: HEAD }));
  const segments = arrows.map(({ points }) => segmentsOf(points));
  const labels: Place[] = [];
  return arrows.map((arrow, index) => {
    if (arrow.lines.length === 0) return { ...arrow, label: null };
    const size = labelSize(arrow);
    const others = segments.filter((_, other) => other !== index).flat();
    const costOf = (place: Place, way: number) =>
      COST.solid * [...solid, ...labels].filter((other) => overlap(place, other)).length +
      COST.head * heads.filter((other) => overlap(place, other)).length +
      COST.line * others.filter((other) => overlap(place, other)).length +
      COST.way * way;
    let best: { place: Place; cost: number } | null = null;
    for (const { at, way } of alongside(arrow.points))
      for (const side of [0, -1, 1]) {
        const beside = side * (size.width / 2 + 4);
        const place = { x: at[0] - size.width / 2 + beside, y: at[1] - size.height / 2, ...size };
        const cost = costOf(place, way) + (side === 0 ? 0 : COST.beside);
        if (best === null || cost < best.cost) best = { place, cost };
      }
    const label = best && rounded(best.place);
    if (label) labels.push(label);
    return { ...arrow, label };
  });
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

const overlap = (one: Place, other: Place): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
