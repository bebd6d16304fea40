import { hash } from 'node:crypto';

/** A short digest of plain JSON values; objects that differ only in the order of their keys are equal. */
export function fingerprint(...values: readonly unknown[]): string {
  const json = JSON.stringify(values, (_, value) => (isPlain(value) ? sorted(value) : value));
  return hash('sha256', json, 'hex').slice(0, 12);
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (value: Record<string, unknown>): [string, unknown][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
