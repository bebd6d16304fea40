/** Strict rules for what the service takes only with a header that names the beta. */
import { blocksOf, type Fields, isFields, listOf } from './strict-form.ts';

const CONTEXT_BETA = 'context-management-2025-06-27';
const COMPACT_BETA = 'compact-2026-01-12';

/** Kinds of edits, each with the beta that it belongs to. */
const EDITS: ReadonlyMap<unknown, string> = new Map([
  ['clear_tool_uses_20250919', CONTEXT_BETA],
  ['clear_thinking_20251015', CONTEXT_BETA],
  ['compact_20260112', COMPACT_BETA],
]);
/** Models that the service does not summarise for. */
const NO_SUMMARY = /^claude-(opus|sonnet|haiku)-4-5\b/;

export function betaViolations(body: unknown, header: string | readonly string[] | undefined): string[] {
  if (!isFields(body)) return [];
  const betas = new Set(String(header ?? '').split(','));
  return [...managementViolations(body, betas), ...blockViolations(body, betas)];
}

function managementViolations({ context_management: field, model }: Fields, betas: Set<string>): string[] {
  if (field === undefined) return [];
  if (!betas.has(CONTEXT_BETA) && !betas.has(COMPACT_BETA))
    return ['context_management: Extra inputs are not permitted'];
  if (!isFields(field) || Object.keys(field).join() !== 'edits')
    return ['context_management: edits: Field required'];
  const types = listOf(field.edits).map((edit) => (isFields(edit) ? edit.type : undefined));
  return [
    ...types.flatMap((type, at) =>
      betas.has(EDITS.get(type) ?? '') ? [] : [`context_management.edits.${at}: Input tag '${type}' found`],
    ),
    ...(new Set(types).size < types.length ? ['context_management.edits: an edit is named twice'] : []),
    ...(types.indexOf('clear_thinking_20251015') > 0 ? ['clear_thinking_20251015 must be the first'] : []),
    ...(types.includes('compact_20260112') && NO_SUMMARY.test(String(model))
      ? ['compact_20260112 is not supported for this model']
      : []),
  ];
}

/** The summary of an earlier reply goes back as it came; an empty one is none. */
function blockViolations(body: Fields, betas: Set<string>): string[] {
  return listOf(body.messages).flatMap((message, index) =>
    blocksOf(message).flatMap(({ type, content }, position) => {
      if (type !== 'compaction') return [];
      const at = `messages.${index}.content.${position}`;
      if (!betas.has(COMPACT_BETA)) return [`${at}: Input tag 'compaction' found`];
      const isWhole = content === null || (typeof content === 'string' && content !== '');
      return isWhole ? [] : [`${at}.compaction.content: must be non-empty`];
    }),
  );
}
