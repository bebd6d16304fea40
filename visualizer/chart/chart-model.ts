/** The chart as the page draws it: the graph of the machine, at the places that were found for it. */
import { machine } from '../film/machine.ts';
import { type Arrow, type Box, type EdgeId, graphOf } from './graph.ts';
import layout from './layout.json' with { type: 'json' };
import { type Layout, labelSize, type Place, type Point } from './places.ts';

export interface DrawnArrow extends Arrow {
  readonly points: readonly Point[];
  readonly label: Place | null;
}

const graph = graphOf(machine);
const stored: Layout = layout;
export const SHEET = { width: stored.width, height: stored.height };

export const boxes: readonly (Box & Place & { readonly isGroup: boolean })[] = graph.boxes.map((box) => {
  const [x = 0, y = 0, width = 0, height = 0] = stored.boxes[box.name] ?? [];
  return { ...box, x, y, width, height, isGroup: graph.boxes.some(({ parent }) => parent === box.name) };
});

export const arrows: readonly DrawnArrow[] = graph.arrows.map((arrow) => {
  const { points = [], label } = stored.arrows[`${arrow.source} ${arrow.target}`] ?? {};
  const [x, y] = label ?? [];
  return {
    ...arrow,
    points: points.flatMap((value, index) =>
      index % 2 === 0 ? [[value, points[index + 1] ?? 0] as const] : [],
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
