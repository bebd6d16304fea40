/** Two runs, record by record: how far they are the same, and what is different in the first record that is not. */
import type { JournalRecord } from './record.ts';

/** A value at a path such as "message.content[0].text". undefined: there is nothing on this side. */
export interface Difference {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

export type Comparison =
  | { readonly outcome: 'same'; readonly equal: number }
  /** All records of the shorter run are those of the longer one. */
  | { readonly outcome: 'prefix'; readonly equal: number; readonly shorter: 'left' | 'right' }
  | {
      readonly outcome: 'differ';
      /** Records before the one in which they part; that one's number. */
      readonly equal: number;
      readonly differences: readonly Difference[];
    };

/** What two runs never share: when and how long, and what they are called. */
const OWN: ReadonlySet<string> = new Set(['seq', 'at', 'runId', 'origin', 'durationMs']);

export function compareRuns(left: readonly JournalRecord[], right: readonly JournalRecord[]): Comparison {
  const common = Math.min(left.length, right.length);
  for (let equal = 0; equal < common; equal += 1) {
    const found = differencesOf(left[equal], right[equal]);
    if (found.length > 0) return { outcome: 'differ', equal, differences: found };
  }
  if (left.length === right.length) return { outcome: 'same', equal: common };
  return { outcome: 'prefix', equal: common, shorter: left.length < right.length ? 'left' : 'right' };
}

/** Records of different types have little else in common: only that is told of them. */
function differencesOf(left: JournalRecord | undefined, right: JournalRecord | undefined): Difference[] {
  if (left?.type !== right?.type) return [{ path: 'type', left: left?.type, right: right?.type }];
  return differences(bodyOf(left), bodyOf(right));
}

const bodyOf = (record: object = {}): object =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !OWN.has(field)));

/** Two plain JSON values, field by field; the order of fields does not count. An absent field is an undefined one. */
export function differences(left: unknown, right: unknown, path = ''): Difference[] {
  if (left === right) return [];
  if (Array.isArray(left) && Array.isArray(right))
    return Array.from({ length: Math.max(left.length, right.length) }).flatMap((_, index) =>
      differences(left[index], right[index], `${path}[${index}]`),
    );
  if (!isObject(left) || !isObject(right)) return [{ path, left, right }];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((field) =>
    differences(left[field], right[field], path === '' ? field : `${path}.${field}`),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
