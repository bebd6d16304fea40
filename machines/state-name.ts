import type { StateValue } from 'xstate';

/** The full dotted name of the state a snapshot is in, such as "persisting.response". The loop has no parallel states. */
export function stateName(value: StateValue): string {
  if (typeof value === 'string') return value;
  const inside = Object.entries(value as { readonly [state: string]: StateValue });
  return inside.map(([parent, child]) => `${parent}.${stateName(child)}`).join();
}
