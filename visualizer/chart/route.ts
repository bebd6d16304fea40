/**
 * Leads the arrows of the chart: along the lines of a grid, around boxes, with few corners, and never two on one line. Each
 * is led by the cheapest way, again and again, until none finds a better one beside the others.
 */
import { Heap } from './heap.ts';
import { GRID, type Place, type Point } from './places.ts';
import type { Side } from './spots.ts';

export interface Wanted {
  readonly source: Place;
  readonly target: Place;
  /** Boxes around both: those that it may run in. */
  readonly within: readonly Place[];
  readonly sides: readonly [leaves: Side | null, arrives: Side | null];
}

/** What a step costs beyond its length: a corner, a crossing, a neighbour, the border or the title of a box around. */
const COST = { corner: 5, crossing: 4, beside: 0.6, border: 1, foreign: 60, title: 12 };
const ROUNDS = 4;
/** Right, down, left, up; and the sides of a box that face there. */
const FACING: readonly Side[] = ['right', 'bottom', 'left', 'top'];
const WAYS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

interface Sheet {
  readonly width: number;
  readonly height: number;
  /** What no line may cross. */
  readonly solid: readonly Place[];
  /** Boxes with boxes inside. */
  readonly groups: readonly Place[];
  /** What stands in them beside boxes, and is not written over if that can be had. */
  readonly written: readonly Place[];
}

export function routesOf(wanted: readonly Wanted[], sheet: Sheet): Point[][] {
  const router = new Router(sheet);
  const order = wanted.map((_, index) => index).sort((a, b) => distance(wanted[a]) - distance(wanted[b]));
  const routes: number[][] = wanted.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const index of order) {
      router.take(routes[index] ?? []);
      routes[index] = router.find(wanted[index] as Wanted);
      router.lay(routes[index] ?? []);
    }
  return routes.map((cells) => cornersOf(cells.map((cell) => router.pointOf(cell))));
}

function distance(wanted: Wanted | undefined): number {
  if (!wanted) return 0;
  const [from, to] = [wanted.source, wanted.target].map(({ x, y, width, height }) => [
    x + width / 2,
    y + height / 2,
  ]) as [[number, number], [number, number]];
  return Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]);
}

class Router {
  readonly #columns: number;
  readonly #rows: number;
  readonly #solid: Uint8Array;
  readonly #title: Uint8Array;
  /** How many arrows run over a cell from left to right, and from top to bottom; a corner is both. */
  readonly #across: Uint8Array;
  readonly #down: Uint8Array;
  readonly #groups: readonly Place[];

  constructor({ width, height, solid, groups, written }: Sheet) {
    this.#columns = Math.ceil(width / GRID) + 1;
    this.#rows = Math.ceil(height / GRID) + 1;
    const size = this.#columns * this.#rows;
    [this.#solid, this.#title] = [new Uint8Array(size), new Uint8Array(size)];
    [this.#across, this.#down] = [new Uint8Array(size), new Uint8Array(size)];
    for (const place of solid) for (const cell of this.#cellsOf(place)) this.#solid[cell] = 1;
    for (const place of written) for (const cell of this.#cellsOf(place)) this.#title[cell] = 1;
    this.#groups = groups;
  }

  pointOf(cell: number): Point {
    return [(cell % this.#columns) * GRID, Math.floor(cell / this.#columns) * GRID];
  }

  lay(cells: readonly number[]): void {
    this.#mark(cells, 1);
  }

  take(cells: readonly number[]): void {
    this.#mark(cells, -1);
  }

  #mark(cells: readonly number[], by: number): void {
    cells.forEach((cell, index) => {
      for (const other of [cells[index - 1], cells[index + 1]]) {
        if (other === undefined) continue;
        const lines = Math.abs(other - cell) === 1 ? this.#across : this.#down;
        lines[cell] = (lines[cell] ?? 0) + by;
      }
    });
  }

  /** A*, from any place on the border of the one box to any on that of the other. */
  find({ source, target, within, sides }: Wanted): number[] {
    const costs = new Map<number, number>();
    const from = new Map<number, number>();
    const queue = new Heap();
    const ends = new Map(this.#ports(target, within, sides[1]).map(({ cell, way }) => [cell, (way + 2) % 4]));
    const guess = (cell: number) => {
      const [x, y] = this.pointOf(cell);
      const dx = Math.max(target.x - x, 0, x - target.x - target.width);
      const dy = Math.max(target.y - y, 0, y - target.y - target.height);
      return (dx + dy) / GRID;
    };
    for (const { cell, way, cost } of this.#ports(source, within, sides[0])) {
      costs.set(cell * 4 + way, cost);
      queue.push(cell * 4 + way, cost + guess(cell));
    }
    for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
      const [cell, way] = [state >> 2, state & 3];
      const cost = costs.get(state) ?? 0;
      if (ends.get(cell) === way && from.has(state)) return this.#back(state, from);
      for (let next = 0; next < 4; next += 1) {
        if (next === (way + 2) % 4) continue;
        // From a border the first step leads straight out.
        if (next !== way && !from.has(state)) continue;
        const step = this.#step(cell, next, ends, next !== way, within, source, target);
        if (step === null) continue;
        const [nextState, sum] = [step.cell * 4 + next, cost + step.cost];
        if (sum >= (costs.get(nextState) ?? Number.POSITIVE_INFINITY)) continue;
        costs.set(nextState, sum);
        from.set(nextState, state);
        queue.push(nextState, sum + guess(step.cell));
      }
    }
    throw new Error('an arrow of the chart finds no way: give its boxes more room (spots.ts)');
  }

  #back(end: number, from: ReadonlyMap<number, number>): number[] {
    const cells: number[] = [];
    for (let state: number | undefined = end; state !== undefined; state = from.get(state))
      cells.unshift(state >> 2);
    return cells;
  }

  #step(
    cell: number,
    way: number,
    ends: ReadonlyMap<number, number>,
    isCorner: boolean,
    within: readonly Place[],
    source: Place,
    target: Place,
  ): { cell: number; cost: number } | null {
    const [dx, dy] = WAYS[way] as readonly [number, number];
    const [x, y] = [(cell % this.#columns) + dx, Math.floor(cell / this.#columns) + dy];
    if (x < 0 || y < 0 || x >= this.#columns || y >= this.#rows) return null;
    const next = y * this.#columns + x;
    const isEnd = ends.get(next) === way;
    if ((this.#solid[next] && !isEnd) || (isOnBorder(target, x, y) && !isEnd)) return null;
    if (isOnBorder(source, x, y) && !isEnd) return null;
    const [along, beyond] = dx === 0 ? [this.#down, this.#across] : [this.#across, this.#down];
    if (along[next] || along[cell] || (isCorner && beyond[cell])) return null;
    if (isEnd && beyond[next]) return null;
    let cost = 1 + (isCorner ? COST.corner : 0) + (beyond[next] ? COST.crossing : 0);
    for (const side of [-1, 1]) {
      const near = next + side * (dx === 0 ? 1 : this.#columns);
      if (along[near]) cost += COST.beside;
    }
    if (this.#title[next]) cost += COST.title;
    for (const group of this.#groups) {
      if (group === source || group === target || !isInOrOn(group, x, y)) continue;
      if (!within.includes(group)) cost += COST.foreign;
      else if (isOnBorder(group, x, y)) cost += isAlong(group, x, y, dx) ? COST.foreign : COST.border;
    }
    return { cell: next, cost };
  }

  /** Places on the border, with the way that leads out of the box, or into it where the other end is inside. */
  #ports(
    box: Place,
    within: readonly Place[],
    side: Side | null,
  ): { cell: number; way: number; cost: number }[] {
    const [left, top] = [box.x / GRID, box.y / GRID];
    const [right, bottom] = [left + box.width / GRID, top + box.height / GRID];
    const ports: { cell: number; way: number; cost: number }[] = [];
    const add = (x: number, y: number, way: number, middle: number) => {
      const cell = y * this.#columns + x;
      const lines = way % 2 === 0 ? this.#across : this.#down;
      if (lines[cell] || (side !== null && FACING[way] !== side)) return;
      ports.push({ cell, way: within.includes(box) ? (way + 2) % 4 : way, cost: middle * 0.15 });
    };
    for (let x = left + 1; x < right; x += 1) {
      const middle = Math.abs(x - (left + right) / 2);
      add(x, top, 3, middle);
      add(x, bottom, 1, middle);
    }
    for (let y = top + 1; y < bottom; y += 1) {
      const middle = Math.abs(y - (top + bottom) / 2);
      add(left, y, 2, middle);
      add(right, y, 0, middle);
    }
    return ports;
  }

  #cellsOf({ x, y, width, height }: Place): number[] {
    const cells: number[] = [];
    for (let row = Math.ceil(y / GRID); row <= (y + height) / GRID; row += 1)
      for (let column = Math.ceil(x / GRID); column <= (x + width) / GRID; column += 1)
        cells.push(row * this.#columns + column);
    return cells;
  }
}

const isInOrOn = ({ x, y, width, height }: Place, column: number, row: number): boolean =>
  column * GRID >= x && column * GRID <= x + width && row * GRID >= y && row * GRID <= y + height;

const isOnBorder = (place: Place, column: number, row: number): boolean =>
  isInOrOn(place, column, row) &&
  (column * GRID === place.x ||
    column * GRID === place.x + place.width ||
    row * GRID === place.y ||
    row * GRID === place.y + place.height);

const isAlong = ({ x, width }: Place, column: number, _: number, dx: number): boolean =>
  (column * GRID === x || column * GRID === x + width) === (dx === 0);

function cornersOf(points: readonly Point[]): Point[] {
  return points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before || !after) return true;
    return !(
      (before[0] === point[0] && point[0] === after[0]) ||
      (before[1] === point[1] && point[1] === after[1])
    );
  });
}
