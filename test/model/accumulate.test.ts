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
      close(1),
      close(),
      open({ ...call, input: { sent: 'at once' } }, 2),
      close(2),
      open({ type: 'tool_use', id: 'toolu_4', name: 'bash' }, 3),
      close(3),
      open({ type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }, 4),
      json('{"query":"q"}', 4),
      close(4),
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

  it('joins deltas of two open blocks by their index', () => {
    const { content } = build(
      begin,
      open(call),
      open({ type: 'text', text: '' }, 1),
      json('{"command"'),
      more({ type: 'text_delta', text: 'o' }, 1),
      json(':"ls"}'),
      more({ type: 'text_delta', text: 'k' }, 1),
      close(1),
      close(),
      conclude({ stop_reason: 'tool_use' }),
      stop,
    );
    expect(content).toEqual([
      { ...call, input: { command: 'ls' } },
      { type: 'text', text: 'ok' },
    ]);
  });

  it('keeps the stop reason that was said where a later end says it again or says none', () => {
    const said = conclude({ stop_reason: 'tool_use' }, { output_tokens: 5 });
    const later = conclude({ stop_reason: null }, { output_tokens: 9 });
    const astray = { type: 'message_delta', stop_reason: 'end_turn' };
    const found = build(begin, open(call), close(), said, said, astray, later, stop);
    expect(found).toMatchObject({ stop_reason: 'tool_use', usage: { output_tokens: 9 } });
  });

  it('takes what the message begins with for whole blocks', () => {
    const started = {
      type: 'message_start',
      message: { ...message, content: [{ type: 'text', text: 'a' }] },
    };
    const { content } = build(started, open({ type: 'text', text: 'b' }, 1), close(1), ended, stop);
    expect(content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  it.each(['max_tokens', 'model_context_window_exceeded', 'refusal'])(
    'empties the input of a call that %s left open: it is never run',
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
      close(),
      open({ type: 'redacted_thinking', data: 'eA==' }, 1),
      close(1),
      ended,
      stop,
    );
    expect(content).toEqual([
      { type: 'hologram', depth: 1 },
      { type: 'redacted_thinking', data: 'eA==' },
    ]);
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
      'half a character in an input',
      [
        begin,
        open(call),
        json('{"command":"echo \\ud83d"}'),
        close(),
        conclude({ stop_reason: 'tool_use' }),
        stop,
      ],
    ],
    [
      'half a character in a text',
      [
        begin,
        open({ type: 'text', text: '' }),
        more({ type: 'text_delta', text: '\ud83d' }),
        close(),
        ended,
        stop,
      ],
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
    ...['refusal', 'max_tokens', 'end_turn'].map((first): [string, unknown[]] => [
      `two stop reasons, ${first} and then tool_use`,
      [
        begin,
        open(call),
        close(),
        conclude({ stop_reason: first }),
        conclude({ stop_reason: 'tool_use' }),
        stop,
      ],
    ]),
    [
      'a stop reason other than the one that it began with',
      [{ ...begin, message: { ...message, stop_reason: 'refusal' } }, ended, stop],
    ],
    ...['user', 'system', 7].map((role): [string, unknown[]] => [
      `the role ${role}`,
      [{ ...begin, message: { ...message, role } }, ended, stop],
    ]),
    ['another role at its end', [begin, conclude({ stop_reason: 'end_turn', role: 'user' }), stop]],
    ...['tool_use', 'end_turn', 'pause_turn', 'novelty', null].map((stop_reason): [string, unknown[]] => [
      `a call that is never closed, at ${stop_reason}`,
      [begin, open(call), json('{"command":"ls"}'), conclude({ stop_reason }), stop],
    ]),
    ['a text that is never closed', [begin, open({ type: 'text', text: 'a' }), ended, stop]],
    ['the end of a block that is not there', [begin, close(0)]],
    ['a block that ends twice', [begin, open(call), close(), close()]],
    ['an end without an index', [begin, open(call), { type: 'content_block_stop' }]],
    ['a delta behind the end of its block', [begin, open(call), close(), json('{}')]],
    [
      'a delta for a block that the message began with',
      [{ ...begin, message: { ...message, content: [call] } }, json('{}')],
    ],
    ['a block behind the stop reason', [begin, ended, open(call)]],
    ['a delta behind the stop reason', [begin, open(call), ended, json('{}')]],
    ...(
      [
        ['text_delta', call],
        ['thinking_delta', { type: 'text', text: '' }],
        ['signature_delta', call],
        ['citations_delta', { type: 'thinking', thinking: '' }],
        ['compaction_delta', call],
        ['input_json_delta', { type: 'text', text: '' }],
        ['text_delta', { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }],
        ['thinking_delta', { type: 'redacted_thinking', data: 'eA==' }],
      ] as const
    ).map(([type, block]): [string, unknown[]] => [
      `a ${type} in a block of ${block.type}`,
      [
        begin,
        open(block),
        more({ type, text: 'a', thinking: 'a', signature: 'a', partial_json: '{}', citation: {}, input: {} }),
      ],
    ]),
    ['a stop reason that is no text', [begin, conclude({ stop_reason: 7 }), stop]],
  ])('is malformed, and may be asked for again, with %s', (_, events) => {
    expect(() => build(...events)).toThrow(
      expect.objectContaining({ name: 'ModelFailure', kind: 'malformed', retryable: true }),
    );
  });
});
