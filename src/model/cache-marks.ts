/**
 * Where the service is asked to keep what it has read. It keeps the prefix up to a mark, and looks for what it has
 * kept only a few blocks back from each mark of a later request.
 */
import { type ContentBlock, isText, type Message } from '../../machines/protocol.ts';

export const CACHE_MARK = { type: 'ephemeral' } as const;

/** How far the service looks back from a mark, the marked block included. */
const LOOKBACK_BLOCKS = 20;

export interface Place {
  readonly message: number;
  readonly block: number;
}

/**
 * The blocks of a conversation that get a mark, in order: the last one that can bear it and, where a round has added
 * so much that what was kept before is out of sight from there, the one that was the last when the model was last
 * asked. With the one on the head of the request these are three, and the service takes four.
 */
export function markedPlaces(messages: readonly Message[]): readonly Place[] {
  const end = lastMarkable(messages, messages.length);
  if (end === undefined) return [];
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const before = lastMarkable(messages, lastReply);
  return before !== undefined && blocksBetween(messages, before, end) >= LOOKBACK_BLOCKS
    ? [before, end]
    : [end];
}

/** The last block before message `length` that can bear a mark. What the model said goes back as it came, without. */
function lastMarkable(messages: readonly Message[], length: number): Place | undefined {
  for (let message = length - 1; message >= 0; message -= 1) {
    const { role, content = '' } = messages[message] ?? {};
    const block = role !== 'user' || typeof content === 'string' ? -1 : content.findLastIndex(isMarkable);
    if (block >= 0) return { message, block };
  }
  return undefined;
}

const MARKABLE = new Set(['tool_result', 'image', 'document', 'search_result']);

/** An empty text is refused with a mark; of blocks that pawl does not know, nobody knows. */
const isMarkable = (block: ContentBlock): boolean =>
  !('cache_control' in block) && (isText(block) ? block.text.trim() !== '' : MARKABLE.has(block.type));

/** How many blocks stand behind the one, up to and with the other. */
function blocksBetween(messages: readonly Message[], from: Place, to: Place): number {
  const between = messages
    .slice(from.message, to.message)
    .reduce((sum, { content }) => sum + (typeof content === 'string' ? 1 : content.length), 0);
  return between + to.block - from.block;
}
