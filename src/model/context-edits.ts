/**
 * The service's own ways to make a long history shorter before the model reads it. What is sent stays whole, and a summary
 * that the service has made stays in it as a block.
 */
import { canCompact } from './models.ts';

/** `compact` costs another reading of the history and an output of any length, which no budget foresees. */
export type ContextEdit = 'clear' | 'compact';

/** For every request of a run that had any of them: the history may hold what came of the others. */
export const EDIT_BETAS: readonly string[] = ['context-management-2025-06-27', 'compact-2026-01-12'];

/** The field of a request, for what this model has of them. */
export function contextManagement(model: string, edits: readonly ContextEdit[]): object {
  const usable = edits.filter((edit) => edit !== 'compact' || canCompact(model));
  return usable.length === 0 ? {} : { context_management: { edits: usable.map((edit) => EDITS[edit]) } };
}

/** From 100,000 tokens of input on old results of tools are left out, and from 150,000 on all is summarised. */
const EDITS = {
  clear: { type: 'clear_tool_uses_20250919' },
  compact: { type: 'compact_20260112' },
} as const;
