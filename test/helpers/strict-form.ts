/** The shapes in which the strict rules look at a request, and what makes two of them the same to the service. */
import { createHmac } from 'node:crypto';

export type Fields = Record<string, unknown>;
export type Block = Fields & { readonly type: string };

export interface Turn {
  readonly role: unknown;
  /** Index of its first message. */
  readonly start: number;
  readonly messages: readonly (readonly Block[])[];
  readonly blocks: readonly Block[];
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function blocksOf(message: unknown): readonly Block[] {
  const content = isFields(message) ? message.content : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).filter((block): block is Block => isFields(block) && typeof block.type === 'string');
}

/** Neighbouring messages of one role are one turn to the service. */
export function turnsOf(body: Fields): Turn[] {
  const turns: { role: unknown; start: number; messages: (readonly Block[])[]; blocks: Block[] }[] = [];
  listOf(body.messages).forEach((message, index) => {
    const role = isFields(message) ? message.role : undefined;
    const blocks = blocksOf(message);
    const last = turns.at(-1);
    if (last && last.role === role) {
      last.messages.push(blocks);
      last.blocks.push(...blocks);
    } else turns.push({ role, start: index, messages: [blocks], blocks: [...blocks] });
  });
  return turns;
}

/** Of a block, what counts: not its cache marker, not the order of its keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(isFields(value) ? { ...value, cache_control: undefined } : value)) ?? 'absent';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

export const isEmptyText = (block: Block): boolean => block.type === 'text' && block.text === '';

export interface Step {
  readonly role: unknown;
  readonly block: Block;
  /** Where it stands in the request, in the service's notation. */
  readonly at: string;
}

/** All blocks in order. Empty texts are left out: the service may send one, and refuses it when it comes back. */
export function stepsOf(body: Fields): Step[] {
  return listOf(body.messages)
    .flatMap((message, index) =>
      blocksOf(message).map((block, position) => ({
        role: isFields(message) ? message.role : undefined,
        block,
        at: `messages.${index}.content.${position}`,
      })),
    )
    .filter(({ block }) => !isEmptyText(block));
}

/** What comes before the conversation and must not change either. */
export const headOf = ({ system, tools }: Fields): string => {
  const blocks = typeof system === 'string' && system !== '' ? [{ type: 'text', text: system }] : system;
  return `${listOf(blocks).map(canonical).join(' ')} ${listOf(tools).map(canonical).join(' ')}`;
};

export const stepKey = ({ role, block }: Pick<Step, 'role' | 'block'>): string =>
  `${role} ${canonical(block)}`;

/** The signature of a thinking block: bound to its text and to everything before it. The same in every server. */
export function signatureOf(head: string, before: readonly string[], thinking: unknown): string {
  return createHmac('sha256', 'strict server')
    .update([head, ...before, String(thinking)].join('\n'))
    .digest('base64');
}
