/** Strict rules for the marks of the prompt cache. */
import { blocksOf, type Fields, isEmptyText, isFields, listOf } from './strict-form.ts';

const MOST_MARKS = 4;

export function cacheViolations(body: Fields): string[] {
  const found: string[] = [];
  const blocks = listOf(body.messages).flatMap((message, index) =>
    blocksOf(message).map((block, position) => ({ block, at: `messages.${index}.content.${position}` })),
  );
  for (const { block, at } of blocks.filter(({ block }) => block.cache_control !== undefined))
    if (block.type === 'thinking' || block.type === 'redacted_thinking')
      found.push(`${at}.${block.type}.cache_control: Extra inputs are not permitted`);
    else if (isEmptyText(block)) found.push(`${at}: cache_control cannot be set for empty text blocks`);
  const marks = [...listOf(body.tools), ...listOf(body.system), ...blocks.map(({ block }) => block), body];
  const count = marks.filter((each) => isFields(each) && each.cache_control !== undefined).length;
  if (count > MOST_MARKS)
    found.push(`A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${count}.`);
  return found;
}
