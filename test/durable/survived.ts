import { expect } from 'vitest';
import type { Survived } from './killing.ts';

/** Nothing happened twice, nothing was lost, and the model was told of every call that nobody knows the outcome of. */
export function expectSurvived({ status, lost, lines, done, unknown, violations }: Survived): void {
  expect({ status, lost, violations }).toEqual({ status: 'answered', lost: 0, violations: [] });
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  expect(done.filter((id) => !lines.includes(id))).toEqual([]);
  expect(lines.filter((line) => !done.includes(line) && !unknown.includes(line))).toEqual([]);
}
