import type { AssistantMessage } from '../../machines/protocol.ts';
import { counted, shortName } from './format.ts';

/** What the service says it has done to the history before the model read it, in a few words each. */
export function appliedEdits({ content, context_management }: AssistantMessage): string[] {
  const summaries = content.filter(({ type }) => type === 'compaction');
  return [
    ...editsIn(context_management).map(wordsFor),
    ...summaries.map((block) =>
      typeof block.content === 'string' ? 'summarised the history' : 'failed to summarise the history',
    ),
  ];
}

interface Edit {
  readonly type?: unknown;
  readonly cleared_tool_uses?: unknown;
  readonly cleared_input_tokens?: unknown;
}

/** The journal keeps replies as they came, whatever is in them. */
function editsIn(management: unknown): Edit[] {
  const { applied_edits: edits }: { readonly applied_edits?: unknown } = { ...(management as object | null) };
  return (Array.isArray(edits) ? edits : []).filter((edit) => typeof edit === 'object' && edit !== null);
}

function wordsFor({ type, cleared_tool_uses: uses, cleared_input_tokens: tokens }: Edit): string {
  const size = typeof tokens === 'number' ? ` (${counted(tokens, 'token')})` : '';
  return typeof uses === 'number'
    ? `cleared ${counted(uses, 'old result')}${size}`
    : `made an edit, ${shortName(typeof type === 'string' ? type : 'of a kind without a name')}${size}`;
}
