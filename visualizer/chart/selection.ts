import type { EdgeId } from './graph.ts';

/** What a person has clicked in the chart. */
export type Selection =
  | { readonly kind: 'state'; readonly name: string }
  | { readonly kind: 'edges'; readonly edges: readonly EdgeId[] };

export const isSelected = (selection: Selection | null, edges: readonly EdgeId[]): boolean =>
  selection?.kind === 'edges' && selection.edges[0] === edges[0];
