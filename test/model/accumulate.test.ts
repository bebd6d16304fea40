import { describe, expect, it } from 'vitest';
import { ReplyAccumulator } from '../../src/model/accumulate.ts';

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
};
const begin = {
  type: 'message_start',
  message: { ...message, usage: { input_tokens: 25, output_tokens: 1 } },
};
const open = (block: object, index = 0) => ({ type: 'content_block_start', index, content_block: block });
const more = (delta: object, index = 0) => ({ type: 'content_block_delta', index, delta });
const json = (partial_json: string, index = 0) => more({ type: 'input_json_delta', partial_json }, index);
const close = (index = 0) => ({ type: 'content_block_stop', index });
const conclude = (delta: object, usage: object = {}) => ({ type: 'message_delta', delta, usage });
const ended = conclude({ stop_reason: 'end_turn', stop_sequence: null });
const stop = { type: 'message_stop' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} };

function build(...events: unknown[]) {
  const reply = new ReplyAccumulator(() => {});
  for (const event of events) reply.add(event);
  return reply.finish();
}

describe('a reply from its events', () => {
  it('takes later usage for the running total', () => {
    const { usage } = build(
      begin,
      conclude({ stop_reason: null }, { output_tokens: 15 }),
      conclude(
        { stop_reason: 'end_turn' },
        { output_tokens: 40, input_tokens: null, cache_read_input_tokens: 3 },
      ),
      stop,
    );
    expect(usage).toEqual({ input_tokens: 25, output_tokens: 40, cache_read_input_tokens: 3 });
  });

  it('keeps what the end says of the stop, known or not', () => {
    const delta = {
      stop_reason: 'refusal',
      stop_sequence: null,
      stop_details: { category: 'cyber' },
      container: { id: 'c' },
      novelty: 1,
    };
    expect(build(begin, conclude(delta), stop)).toMatchObject({ ...delta, id: 'msg_1', role: 'assistant' });
  });

  it('keeps a stop reason that is not there as null', () => {
    expect(build(begin, conclude({}), stop).stop_reason).toBeNull();
  });

  it('takes a summary of the history whole, and what stands beside the end for a part of the message', () => {
    const edits = { applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2 }] };
    const whole = { content: 'so far', encrypted_content: 'eA==' };
    const found = build(
      begin,
      open({ type: 'compaction', content: null, encrypted_content: null, signature: 'c2ln' }),
      more({ type: 'compaction_delta', ...whole }),
      close(),
      { ...ended, context_management: edits, input_transformations: null },
      stop,
    );
    expect(found.content).toEqual([{ type: 'compaction', ...whole, signature: 'c2ln' }]);
    expect(found.context_management).toEqual(edits);
    expect(found).not.toHaveProperty('input_transformations');
    expect(found.type).toBe('message');
  });

  it('joins texts, thinking, signature and citations to the block that was opened', () => {
    const { content } = build(
      begin,
      open({ type: 'thinking', thinking: '', signature: '', novelty: true }),
      more({ type: 'thinking_delta', thinking: 'a' }),
      more({ type: 'thinking_delta', thinking: 'b' }),
      more({ type: 'signature_delta', signature: 'c2ln' }),
      close(),
      open({ type: 'text', text: '', citations: null }, 1),
      more({ type: 'text_delta', text: 'one ' }, 1),
      more({ type: 'citations_delta', citation: { cited_text: 'x' } }, 1),
      more({ type: 'text_delta', text: 'two' }, 1),
      more({ type: 'citations_delta', citation: { cited_text: 'y' } }, 1),
      close(1),
      ended,
      stop,
    );
    expect(content).toEqual([
      { type: 'thinking', thinking: 'ab', signature: 'c2ln', novelty: true },
      { type: 'text', text: 'one two', citations: [{ cited_text: 'x' }, { cited_text: 'y' }] },
    ]);
  });

  it('joins the pieces of an input and takes none or an empty one for no arguments', () => {
    const { content } = build(
      begin,
      open(call),
      json(''),
      json('{"command":"l'),
      json('s","__proto__":{"x":1}}'),
      open(call, 1),
      json('', 1),
      open({ ...call, input: { sent: 'at once' } }, 2),
      open({ type: 'tool_use', id: 'toolu_4', name: 'bash' }, 3),
      open({ type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }, 4),
      json('{"query":"q"}', 4),
      ended,
      stop,
    );
    expect(content.map(({ input }) => JSON.stringify(input))).toEqual([
      '{"command":"ls","__proto__":{"x":1}}',
      '{}',
      '{"sent":"at once"}',
      '{}',
      '{"query":"q"}',
    ]);
  });

  it.each(['max_tokens', 'model_context_window_exceeded'])(
    'empties the input that was cut by %s: that call is never run',
    (stop_reason) => {
      const { content } = build(
        begin,
        open(call),
        json('{"command":"rm -r'),
        conclude({ stop_reason }),
        stop,
      );
      expect(content).toEqual([call]);
    },
  );

  it('passes over events and deltas of types that it does not know', () => {
    const { content } = build(
      { type: 'weather', wind: 3 },
      begin,
      open({ type: 'hologram', depth: 1 }),
      more({ type: 'hologram_delta', depth: 2 }),
      { type: 'ping' },
      ended,
      stop,
    );
    expect(content).toEqual([{ type: 'hologram', depth: 1 }]);
  });

  it('keeps usage figures as they came, however odd', () => {
    const odd = {
      input_tokens: -1,
      output_tokens: '7',
      cache_read_input_tokens: 1e300,
      more: [0.5, { a: null }],
    };
    expect(build(begin, conclude({ stop_reason: 'end_turn' }, odd), stop).usage).toEqual(odd);
  });

  it('is complete with its end event and not before', () => {
    const reply = new ReplyAccumulator(() => {});
    expect(reply.hasBegun).toBe(false);
    for (const event of [begin, open({ type: 'text', text: 'a' }), close(), ended]) reply.add(event);
    expect(reply.hasBegun).toBe(true);
    expect(reply.isComplete).toBe(false);
    reply.add(stop);
    expect(reply.isComplete).toBe(true);
  });

  it.each<[string, unknown[]]>([
    ['an event that is no object', [begin, null]],
    ['a message that is none', [{ type: 'message_start', message: 'hello' }]],
    ['content that is no list', [{ type: 'message_start', message: { ...message, content: 'hello' } }]],
    ['a second beginning', [begin, begin]],
    ['an end before the beginning', [stop]],
    ['a conclusion before the beginning', [ended]],
    ['a block before the beginning', [open({ type: 'text', text: '' })]],
    ['a block that is no object', [begin, open([])]],
    ['a block without a type', [begin, open({ text: 'hello' })]],
    ['a block out of order', [begin, open({ type: 'text', text: '' }, 7)]],
    ['a delta without its block', [begin, more({ type: 'text_delta', text: 'a' })]],
    ['a delta that is no object', [begin, open(call), { type: 'content_block_delta', index: 0, delta: 1 }]],
    [
      'a piece of text that is no text',
      [begin, open({ type: 'text' }), more({ type: 'text_delta', text: 1 })],
    ],
    ['a piece of input that is no text', [begin, open(call), more({ type: 'input_json_delta' })]],
    ['a text block without text', [begin, open({ type: 'text' }), ended, stop]],
    [
      'an input that is not JSON',
      [begin, open(call), json('{"command":"l'), conclude({ stop_reason: 'tool_use' }), stop],
    ],
    [
      'an input that is nested deeper than the stack bears',
      [
        begin,
        open(call),
        json(`${'['.repeat(9_999)}${']'.repeat(9_999)}`),
        conclude({ stop_reason: 'tool_use' }),
        stop,
      ],
    ],
    ['a stop reason that is no text', [begin, conclude({ stop_reason: 7 }), stop]],
  ])('is malformed, and may be asked for again, with %s', (_, events) => {
    expect(() => build(...events)).toThrow(
      expect.objectContaining({ name: 'ModelFailure', kind: 'malformed', retryable: true }),
    );
  });
});
