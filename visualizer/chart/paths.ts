/** Lines along the axes as paths with rounded corners, and the head at their end. */
import type { Point } from './places.ts';

const RADIUS = 7;
const HEAD_LENGTH = 7;

const towards = ([x, y]: Point, [tx, ty]: Point, by: number): Point => {
  const length = Math.hypot(tx - x, ty - y) || 1;
  const part = Math.min(by / length, 0.5);
  return [x + (tx - x) * part, y + (ty - y) * part];
};

export function pathOf(points: readonly Point[]): string {
  const [first] = points;
  if (!first) return '';
  const corners = points.slice(1, -1).map((corner, index) => {
    const [from, to] = [
      towards(corner, points[index] as Point, RADIUS),
      towards(corner, points[index + 2] as Point, RADIUS),
    ];
    return `L${from}Q${corner} ${to}`;
  });
  return `M${first}${corners.join('')}L${points.at(-1)}`;
}

export function headOf(points: readonly Point[]): string {
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (!tip || !before) return '';
  const [dx, dy] = [Math.sign(tip[0] - before[0]), Math.sign(tip[1] - before[1])];
  const [x, y] = [tip[0] - dx * HEAD_LENGTH, tip[1] - dy * HEAD_LENGTH];
  return `M${tip}L${x - dy * 4} ${y - dx * 4}L${x + dy * 4} ${y + dx * 4}Z`;
}
