import type { StateValue } from 'xstate';

/** The full dotted name of the state a snapshot is in, such as "persisting.response". The loop has no parallel states. */
export function stateName(value: StateValue): string {
  if (typeof value === 'string') return value;
  const [parent, child] = Object.entries(value)[0] ?? ['', undefined];
  return child === undefined ? parent : `${parent}.${stateName(child)}`;
}
