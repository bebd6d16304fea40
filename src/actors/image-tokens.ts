import type { ContentBlock, Message, ToolResultBlock } from '../../machines/protocol.ts';

/** What the service counts for a picture at most, whatever its bytes: it makes large ones smaller. */
export const MOST_IMAGE_TOKENS = 5_000;

export const isImage = ({ type }: ContentBlock): boolean => type === 'image';

const isToolResult = (block: ContentBlock): block is ToolResultBlock => block.type === 'tool_result';

/** How much less than their bytes the pictures in the results of these messages count; negative where a small file is a large picture. */
export function imageDiscount(messages: readonly Message[]): number {
  const images = messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .flatMap((block) => (isToolResult(block) && typeof block.content !== 'string' ? block.content : []))
    .filter(isImage);
  return images.reduce((sum, image) => sum + JSON.stringify(image).length - MOST_IMAGE_TOKENS, 0);
}
