/** The chart as the page draws it: the graph of the machine, at the places that were found for it. */
import { machine } from '../film/machine.ts';
import { type Arrow, type Box, type EdgeId, graphOf } from './graph.ts';
import layout from './layout.json' with { type: 'json' };
import { GRID, type Layout, labelSize, type Place, type Point } from './places.ts';

export interface DrawnArrow extends Arrow {
  readonly points: readonly Point[];
  readonly label: Place | null;
}

const graph = graphOf(machine);
const stored: Layout = layout;

export const boxes: readonly (Box & Place & { readonly isGroup: boolean })[] = graph.boxes.map(
  (box, index) => {
    const [x = 0, y = 0, width = 0, height = 0] = (stored.boxes[index] ?? []).map((value) => value * GRID);
    return { ...box, x, y, width, height, isGroup: graph.boxes.some(({ parent }) => parent === box.name) };
  },
);

/** All of it. */
export const SHEET = { width: boxes[0]?.width ?? 0, height: boxes[0]?.height ?? 0 };

export const arrows: readonly DrawnArrow[] = graph.arrows.map((arrow, index) => {
  const [x, y] = stored.labels[index] ?? [];
  const points = stored.arrows[index] ?? [];
  return {
    ...arrow,
    points: points.flatMap((value, at) =>
      at % 2 === 0 ? [[value * GRID, (points[at + 1] ?? 0) * GRID] as const] : [],
    ),
    label: x === undefined || y === undefined ? null : { x, y, ...labelSize(arrow) },
  };
});

/** Edges of the machine itself stand above the one end that they lead to. */
const failed = boxes.find(({ name }) => name === 'journal_error');
export const ANYWHERE = { x: failed?.x ?? 0, y: (failed?.y ?? 0) - 22 };

const arrowOf = new Map<EdgeId, number>(
  arrows.flatMap(({ edges }, index) => edges.map((edge): [EdgeId, number] => [edge, index])),
);
/** undefined: the edge is a word in the box of its state. */
export const arrowIndexOf = (edge: EdgeId): number | undefined => arrowOf.get(edge);

/** The box that a state is drawn in: terminal states share one. */
export const boxOf = (state: string): (typeof boxes)[number] | undefined =>
  boxes.find(({ name, ends }) => name === state || ends.includes(state));
