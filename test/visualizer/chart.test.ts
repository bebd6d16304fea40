import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeMachine } from '../../machines/describe.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { arrows, boxes } from '../../visualizer/chart/chart-model.ts';
import { graphOf } from '../../visualizer/chart/graph.ts';
import { placeLabels } from '../../visualizer/chart/labels.ts';
import layout from '../../visualizer/chart/layout.json' with { type: 'json' };
import { pathOf } from '../../visualizer/chart/paths.ts';
import { sizeOf } from '../../visualizer/chart/places.ts';

const machine = describeMachine(loopMachine);
const graph = graphOf(machine);

describe('the chart', () => {
  it('has every state of the machine in one box', () => {
    const drawn = graph.boxes.flatMap(({ name, ends }) => (ends.length > 0 ? ends : [name]));
    expect(drawn.sort()).toEqual(machine.states.map(({ name }) => name).sort());
  });

  it('has every transition of the machine in one arrow or one word of a box', () => {
    const drawn = [
      ...graph.arrows.flatMap(({ edges }) => edges),
      ...graph.boxes.flatMap(({ pills }) => pills.flatMap(({ edges }) => edges)),
    ];
    expect(drawn.sort((a, b) => a - b)).toEqual(machine.edges.map((_, index) => index));
  });

  it('has a place for every box, and lines that lead from box to box: npm run docs makes them anew', () => {
    expect(layout.boxes.length).toBe(graph.boxes.length);
    expect(layout.arrows.length).toBe(graph.arrows.length);
    const isOnBorder = (name: string, [x = 0, y = 0]: readonly number[] = []) => {
      const box = boxes.find((one) => one.name === name);
      if (!box) return false;
      const [right, bottom] = [box.x + box.width, box.y + box.height];
      const [onSide, onEnd] = [x === box.x || x === right, y === box.y || y === bottom];
      return (onSide && y >= box.y && y <= bottom) || (onEnd && x >= box.x && x <= right);
    };
    const astray = arrows.filter(
      ({ source, target, points }) => !isOnBorder(source, points[0]) || !isOnBorder(target, points.at(-1)),
    );
    expect(astray.map(({ source, target }) => `${source} -> ${target}`)).toEqual([]);
  });

  it('has boxes that are as large as what is written in them', () => {
    const small = boxes.filter((box) => {
      const { width, height } = sizeOf(box);
      return !box.isGroup && (box.width < width || box.height < height);
    });
    expect(small.map(({ name }) => name)).toEqual([]);
  });

  it('has states inside the box of their parent', () => {
    const outside = boxes.filter((box) => {
      const parent = boxes.find(({ name }) => name === box.parent);
      return (
        parent &&
        (box.x < parent.x ||
          box.y < parent.y ||
          box.x + box.width > parent.x + parent.width ||
          box.y + box.height > parent.y + parent.height)
      );
    });
    expect(outside.map(({ name }) => name)).toEqual([]);
  });

  it('writes no label over a box', () => {
    const covered = arrows.flatMap(({ label, source, target }) =>
      boxes
        .filter(
          (box) =>
            !box.isGroup &&
            label &&
            label.x < box.x + box.width &&
            box.x < label.x + label.width &&
            label.y < box.y + box.height &&
            box.y < label.y + label.height,
        )
        .map(({ name }) => `${source} -> ${target} over ${name}`),
    );
    expect(covered).toEqual([]);
  });

  it('leads no arrow through a box, and no two along one line', () => {
    const leaves = boxes.filter(({ isGroup, parent }) => !isGroup && parent !== null);
    const lines = arrows.flatMap(({ source, target, points }) =>
      points.slice(1).map(([x, y], index) => {
        const [fromX, fromY] = points[index] ?? [0, 0];
        const [left, top] = [Math.min(x, fromX), Math.min(y, fromY)];
        return {
          name: `${source} -> ${target}`,
          left,
          top,
          right: Math.max(x, fromX),
          bottom: Math.max(y, fromY),
        };
      }),
    );
    const through = lines.flatMap(({ name, left, top, right, bottom }) =>
      leaves
        .filter(({ x, y, width, height }) => left < x + width && right > x && top < y + height && bottom > y)
        .map((box) => `${name} through ${box.name}`),
    );
    expect(through).toEqual([]);
    const shared = lines.flatMap((one, index) =>
      lines
        .slice(index + 1)
        .filter((other) => {
          const [wide, high] = [
            Math.min(one.right, other.right) - Math.max(one.left, other.left),
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
          ];
          return other.name !== one.name && ((wide > 0 && high === 0) || (high > 0 && wide === 0));
        })
        .map((other) => `${one.name} on ${other.name}`),
    );
    expect(shared).toEqual([]);
  });

  it('names guards on arrows, and counts those that do not fit', () => {
    const gate = graph.arrows.find(
      ({ source, target }) => source === 'validating.gate' && target === 'persisting.closing',
    );
    expect(gate?.lines).toEqual([
      '[isCutByTokens]',
      '[isCutByMoney]',
      expect.stringMatching(/^\+ \d+ more$/),
    ]);
  });

  it('puts together terminal states that are reached from the same places', () => {
    const ended = graph.boxes.find(({ ends }) => ends.includes('max_turns'));
    expect(ended?.ends).toEqual([
      'max_turns',
      'token_budget',
      'cost_budget',
      'max_tool_calls',
      'time_limit',
      'stuck',
      'cancelled',
    ]);
    expect(graph.boxes.find(({ ends }) => ends.includes('answered'))?.ends).toEqual(['answered']);
  });
});

it('a shape that moves has plain colours: Chromium leads a mixed one by way of black', () => {
  const style = readFileSync(new URL('../../visualizer/style/chart.css', import.meta.url), 'utf8');
  const moves = style.match(/@keyframes[^}]+\{[^}]+\}/g) ?? [];
  expect(moves.length).toBeGreaterThan(3);
  expect(moves.filter((move) => /(fill|stroke): color-mix/.test(move))).toEqual([]);
});

describe('a label', () => {
  const box = { name: 'a', parent: null, title: 'a', job: null, pills: [], ends: [], isInitial: false };
  const arrow = {
    source: 'a',
    target: 'b',
    edges: [0],
    lines: ['done'],
    points: [
      [50, 40],
      [50, 200],
    ] as const,
  };

  it('stands on its line, near its beginning', () => {
    const [found] = placeLabels([], [arrow]);
    expect(found?.label).toMatchObject({ x: 33, height: 17 });
    expect(found?.label?.y).toBeLessThan(60);
  });

  it('keeps off a box that is in its way', () => {
    const inTheWay = { ...box, x: 0, y: 30, width: 100, height: 100 };
    const [found] = placeLabels([inTheWay], [arrow]);
    expect(found?.label?.y).toBeGreaterThanOrEqual(130);
  });

  it('keeps off another label', () => {
    const [one, other] = placeLabels([], [arrow, { ...arrow, edges: [1] }]);
    expect(other?.label).not.toEqual(one?.label);
  });
});

it('a path turns its corners round', () => {
  expect(
    pathOf([
      [0, 0],
      [0, 50],
      [80, 50],
    ]),
  ).toBe('M0,0L0,43Q0,50 7,50L80,50');
});
