import { describe, expect, it } from 'vitest';
import { routeOf } from '../../visualizer/app/router.ts';
import { around, pan, reveal, whole, zoom } from '../../visualizer/chart/viewport.ts';
import { brief, duration, short, usd } from '../../visualizer/parts/format.ts';
import { beginningOf } from '../../visualizer/transcript/folded-text.ts';
import { Heights } from '../../visualizer/transcript/heights.ts';

describe('an address', () => {
  it.each([
    ['', '', { page: 'runs' }],
    ['', '?run=a', { page: 'run', runId: 'a' }],
    ['', '?demo', { page: 'demo' }],
    ['#/runs/a%2Fb', '?run=c', { page: 'run', runId: 'a/b' }],
    ['#/runs', '?run=c', { page: 'runs' }],
    ['#/compare/a/b', '', { page: 'compare', left: 'a', right: 'b' }],
    ['#/compare/a', '', { page: 'runs' }],
    ['#/runs/%E0%A4%A', '', { page: 'runs' }],
  ] as const)('%s %s leads where it says', (hash, query, route) => {
    expect(routeOf(hash, query)).toEqual(route);
  });
});

describe('a view of the sheet', () => {
  const sheet = { width: 1_000, height: 500 };
  const size = { width: 500, height: 500 };

  it('shows all of it, in the middle', () => {
    const view = whole(sheet, size);
    expect(view.scale).toBeCloseTo(0.476);
    expect(view.x).toBeCloseTo(12);
    expect(view.y).toBeCloseTo(131);
  });

  it('shows a part with as little as can be beside the sheet', () => {
    const small = { width: 300, height: 300 };
    expect(around({ x: 500, y: 250 }, 1, sheet, small)).toEqual({ scale: 1, x: -350, y: -100 });
    expect(around({ x: 0, y: 500 }, 1, sheet, small)).toEqual({ scale: 1, x: 12, y: -212 });
    expect(around({ x: 0, y: 0 }, 0.1, sheet, small)).toEqual({ scale: 0.1, x: 100, y: 125 });
  });

  it('keeps the point under the pointer where it is', () => {
    const before = { x: 10, y: 20, scale: 0.5 };
    const after = zoom(before, 2, 110, 70);
    expect((110 - after.x) / after.scale).toBeCloseTo((110 - before.x) / before.scale);
    expect((70 - after.y) / after.scale).toBeCloseTo((70 - before.y) / before.scale);
  });

  it('is bounded', () => {
    expect(zoom({ x: 0, y: 0, scale: 1 }, 1e9, 0, 0).scale).toBe(3);
    expect(zoom({ x: 0, y: 0, scale: 1 }, 0, 0, 0).scale).toBe(0.15);
  });

  it('moves only if what matters is not in sight', () => {
    const view = { x: 0, y: 0, scale: 1 };
    expect(reveal(view, { x: 100, y: 100, width: 50, height: 50 }, size)).toEqual(view);
    expect(reveal(view, { x: 900, y: 100, width: 50, height: 50 }, size)).toEqual({ ...view, x: -675 });
    expect(pan(view, 3, -4)).toEqual({ x: 3, y: -4, scale: 1 });
  });
});

it.each([
  [short(950), '950'],
  [short(12_340), '12.3k'],
  [short(999_600), '1M'],
  [duration(84), '84 ms'],
  [brief(84), '84 ms'],
  [brief(4_420), '4.4 s'],
  [brief(59_990), '60 s'],
  [brief(1_500_000), '25 min'],
  [brief(9e7), '25 h'],
  [duration(4_400), '4.4 s'],
  [duration(60_000), '1 min 0 s'],
  [duration(7_380_000), '2 h 3 min'],
  [usd(0), '$0.00'],
  [usd(0.0333), '$0.0333'],
  [usd(0.5), '$0.50'],
  [usd(0.03), '$0.03'],
  [usd(0.000_006), '<$0.0001'],
])('figures are written short: %s', (written, wanted) => {
  expect(written).toBe(wanted);
});

describe('the items of a long list', () => {
  it('stand one below the other, at heights that were measured or are estimated', () => {
    const heights = new Heights();
    expect(heights.top(3)).toBe(270);
    expect(heights.measure(1, 200)).toBe(110);
    expect(heights.measure(1, 200)).toBeNull();
    expect([0, 1, 2, 3].map((index) => heights.top(index))).toEqual([0, 90, 290, 380]);
  });

  it('are found by a height', () => {
    const heights = new Heights();
    heights.measure(0, 10);
    expect([-5, 0, 9, 10, 99, 1e9].map((height) => heights.at(height, 4))).toEqual([0, 0, 0, 1, 1, 3]);
  });
});

describe('the beginning of a text', () => {
  it('is all of a short one', () => expect(beginningOf('a\nb')).toBe('a\nb'));
  it('is twelve lines', () => expect(beginningOf('x\n'.repeat(40)).split('\n')).toHaveLength(12));
  it('is bounded where there are no lines', () => expect(beginningOf('x'.repeat(1e6))).toHaveLength(1_600));
});
