import type { ContentBlock, Message } from '../../machines/protocol.ts';

/** Ids of the calls that have no result at their place: in call order, first in the user message right behind. */
export function unanswered(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }, at) => {
    const asked = blocksOf(content).flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []));
    const answered = blocksOf(messages[at + 1]?.content ?? []).map((block) => block.tool_use_id);
    return asked.filter((id, place) => answered[place] !== id);
  });
}

const blocksOf = (content: Message['content']): readonly ContentBlock[] =>
  typeof content === 'string' ? [] : content;
