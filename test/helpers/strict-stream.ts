/** A complete message as the service streams it: blocks one after the other, inputs and texts in pieces. */
import type { Block, Fields } from './strict-form.ts';

/** Name and data of an event; data that is a text goes over the wire as it is. */
export type StreamEvent = readonly [type: string, data: Fields | string];

export function eventsOf(message: Fields & { readonly content: readonly Block[] }): StreamEvent[] {
  const { content, usage, stop_reason, stop_sequence = null, stop_details, container } = message;
  const { context_management, ...head } = message;
  return [
    [
      'message_start',
      {
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...(usage as Fields), output_tokens: 1 },
        },
      },
    ],
    ['ping', {}],
    ...content.flatMap(blockEvents),
    [
      'message_delta',
      {
        delta: { stop_reason, stop_sequence, stop_details, container },
        usage: usage as Fields,
        ...(context_management !== undefined && { context_management }),
      },
    ],
    ['message_stop', {}],
  ];
}

function blockEvents(block: Block, index: number): StreamEvent[] {
  const { start, deltas } = takenApart(block);
  return [
    ['content_block_start', { index, content_block: start }],
    ...deltas.map((delta): StreamEvent => ['content_block_delta', { index, delta }]),
    ['content_block_stop', { index }],
  ];
}

function takenApart(block: Block): { start: Fields; deltas: Fields[] } {
  if (block.type === 'text') {
    const citations = Array.isArray(block.citations) ? block.citations : [];
    return {
      start: { ...block, text: '', ...(citations.length > 0 && { citations: [] }) },
      deltas: [
        ...pieces(block.text).map((text) => ({ type: 'text_delta', text })),
        ...citations.map((citation) => ({ type: 'citations_delta', citation })),
      ],
    };
  }
  if (block.type === 'thinking')
    return {
      start: { ...block, thinking: '', signature: '' },
      deltas: [
        ...pieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ],
    };
  if (block.type === 'compaction') {
    const { content, encrypted_content = null } = block;
    return {
      start: { ...block, content: null, encrypted_content: null },
      deltas: [{ type: 'compaction_delta', content, encrypted_content }],
    };
  }
  if (!('input' in block)) return { start: block, deltas: [] };
  const json = JSON.stringify(block.input);
  return {
    start: { ...block, input: {} },
    deltas: ['', ...(json === '{}' ? [] : pieces(json))].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  };
}

const pieces = (text: unknown): string[] => String(text).match(/.{1,16}/gsu) ?? [];

export function encode([type, data]: StreamEvent): string {
  return `event: ${type}\ndata: ${typeof data === 'string' ? data : JSON.stringify({ type, ...data })}\n\n`;
}
