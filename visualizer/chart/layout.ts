/** Places for what the chart draws. Runs when the chart is made (`npm run docs`): the page gets numbers. */
import type { MachineDescription } from '../../machines/describe.ts';
import { type Box, type Graph, graphOf } from './graph.ts';
import { placeLabels } from './labels.ts';
import { GRID, HEAD, hasMore, type Layout, MORE, type Place, sizeOf, writtenIn } from './places.ts';
import { routesOf } from './route.ts';
import { SIDES, SPOTS } from './spots.ts';

/** Between the border of a box and what is inside. */
const INSIDE = { side: 20, top: 10, bottom: 20 };
const MARGIN = 20;

export function layoutOf(machine: MachineDescription): Layout {
  const graph = graphOf(machine);
  const boxes = placed(graph);
  const placeOf = (name: string) => boxes.find((box) => box.name === name) as Box & Place;
  const [width, height] = [
    Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN * 2,
    Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN,
  ];
  const isGroup = ({ name }: Box) => graph.boxes.some(({ parent }) => parent === name);
  const around = (name: string): (Box & Place)[] =>
    boxes.filter((box) => isGroup(box) && name.startsWith(`${box.name}.`));
  const routes = routesOf(
    graph.arrows.map(({ source, target }) => ({
      source: placeOf(source),
      target: placeOf(target),
      within: [...around(source), ...around(target)],
      sides: SIDES[`${source} ${target}`] ?? [null, null],
    })),
    {
      width,
      height,
      solid: boxes.filter((box) => !isGroup(box)),
      groups: boxes.filter(isGroup),
      written: boxes.filter(isGroup).flatMap(writtenIn),
    },
  );
  const arrows = graph.arrows.map((arrow, index) => ({ ...arrow, points: routes[index] ?? [] }));
  const inGrid = (values: readonly number[]) => values.map((value) => value / GRID);
  return {
    boxes: [
      inGrid([0, 0, width, height]),
      ...boxes.map((box) => inGrid([box.x, box.y, box.width, box.height])),
    ],
    arrows: arrows.map(({ points }) => inGrid(points.flat())),
    labels: placeLabels(boxes, arrows, { width, height }).map(({ label }) =>
      label === null ? [] : [label.x, label.y],
    ),
  };
}

/** A box around others is as large as they need. The machine itself is no box of the sheet, but the sheet. */
function placed({ boxes }: Graph): (Box & Place)[] {
  const placeOf = (box: Box): Place => {
    const spot = SPOTS[box.name];
    if (spot) return { x: spot[0] * GRID, y: spot[1] * GRID, ...sizeOf(box) };
    const inside = boxes.filter(({ parent }) => parent === box.name).map(placeOf);
    if (inside.length === 0) throw new Error(`${box.name} has no place in the chart: give it one (spots.ts)`);
    const x = Math.min(...inside.map((place) => place.x)) - INSIDE.side;
    const y = Math.min(...inside.map((place) => place.y)) - INSIDE.top - HEAD - (hasMore(box) ? MORE : 0);
    const least = sizeOf(box).width;
    return {
      x,
      y,
      width: Math.max(least, Math.max(...inside.map((place) => place.x + place.width)) + INSIDE.side - x),
      height: Math.max(...inside.map((place) => place.y + place.height)) + INSIDE.bottom - y,
    };
  };
  return boxes.filter(({ parent }) => parent !== null).map((box) => ({ ...box, ...placeOf(box) }));
}
