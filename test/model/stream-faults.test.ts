/** What the SDK reports differently from fault to fault, or not at all: each is one kind of failure here. */
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicModel } from '../../src/model/anthropic.ts';
import { ModelFailure } from '../../src/model/client.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';
import { type StrictReply, type StrictServer, startStrictServer } from '../helpers/strict-server.ts';
import type { StreamEvent } from '../helpers/strict-stream.ts';

const begun: StreamEvent[] = [
  ['message_start', { message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} } }],
  [
    'content_block_start',
    { index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} } },
  ],
  [
    'content_block_delta',
    { index: 0, delta: { type: 'input_json_delta', partial_json: '{"command":"echo' } },
  ],
];
const overloaded: StreamEvent = ['error', { error: { type: 'overloaded_error', message: 'Overloaded' } }];
const page = (text: string, content_type = 'text/html'): StrictReply => ({
  fault: 'body',
  text,
  content_type,
});

describe('the client of the Messages API', () => {
  let server: StrictServer;
  const start = async (reply: StrictReply) => {
    server = await startStrictServer([
      reply,
      { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' },
    ]);
    return anthropicModel({ apiKey: 'a-key', baseUrl: server.url });
  };
  afterEach(() => server.close());

  it.each<[string, StrictReply, string, string]>([
    [
      'the connection is reset before an answer',
      { fault: 'reset' },
      'connection',
      'No answer from http://127',
    ],
    [
      'the connection is reset in the reply',
      { fault: 'sse', events: begun, end: 'reset' },
      'interrupted',
      'broke off',
    ],
    [
      'the reply ends cleanly in the middle',
      { fault: 'sse', events: begun, end: 'close' },
      'interrupted',
      'broke off',
    ],
    [
      'the reply holds broken JSON',
      { fault: 'sse', events: [...begun, ['message_delta', '{"delta":']] },
      'malformed',
      'not JSON',
    ],
    [
      'an error comes in the reply',
      { fault: 'sse', events: [...begun, overloaded] },
      'interrupted',
      'overloaded_error: Overloaded',
    ],
    [
      'an error comes instead of a reply',
      { fault: 'sse', events: [overloaded] },
      'interrupted',
      'Overloaded',
    ],
    ['an error comes that is no JSON', { fault: 'sse', events: [['error', 'gone']] }, 'interrupted', 'gone'],
    ['the answer is a page', page('<html><h1>Sign in</h1></html>'), 'malformed', 'text/html'],
    ['the answer is empty', page(''), 'malformed', 'no events'],
    [
      'the answer is JSON of another shape',
      page('{"ok":true}', 'application/json'),
      'malformed',
      'application/json',
    ],
    [
      'the answer is a message, but not streamed',
      page('{"type":"message","content":[]}', 'application/json'),
      'malformed',
      'no events',
    ],
    ['the answer has no content', { fault: 'status', status: 204, body: '' }, 'malformed', 'no events'],
    [
      'the events are not those of a message',
      { fault: 'sse', events: [['completion', { text: 'hi' }]] },
      'malformed',
      'no events',
    ],
    [
      'the message is of another shape',
      { fault: 'sse', events: [['message_start', { message: { content: 'hi' } }]] },
      'malformed',
      'not a message',
    ],
  ])('fails for once when %s', async (_, reply, kind, words) => {
    const client = await start(reply);
    const failure = await client.ask(modelRequest(), { signal: noAbort() }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ModelFailure', kind, retryable: true });
    expect(String(failure)).toContain(words);
    expect(await client.ask(modelRequest(), { signal: noAbort() })).toMatchObject({
      stop_reason: 'end_turn',
    });
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, StrictReply]>([
    ['before an answer', { fault: 'delay', ms: 60_000, reply: page('') }],
    ['in the reply', { fault: 'sse', events: begun, end: 'hang' }],
    ['in the reply, with signs of life', { fault: 'sse', events: begun, end: 'ping', every_ms: 20 }],
  ])(
    'lets go of a silent server when it is aborted %s',
    async (_, reply) => {
      const client = await start(reply);
      const asked = client.ask(modelRequest(), { signal: AbortSignal.timeout(150) });
      await expect(asked).rejects.toThrow();
      await expect(asked).rejects.not.toMatchObject({ name: 'ModelFailure' });
    },
    3_000,
  );

  it('hears pings as signs of life, and not as progress', async () => {
    const client = await start({ fault: 'sse', events: begun, end: 'ping', every_ms: 20 });
    const signs: string[] = [];
    const asked = client.ask(modelRequest(), {
      signal: AbortSignal.timeout(300),
      onActivity: (sign) => void signs.push(sign),
    });
    await expect(asked).rejects.toThrow();
    expect(signs[0]).toBe('life');
    expect(signs.filter((sign) => sign === 'progress')).toHaveLength(begun.length);
    expect(signs.filter((sign) => sign === 'life').length).toBeGreaterThan(begun.length);
  });

  const usage = { input_tokens: 500, cache_read_input_tokens: 40, output_tokens: 3 };
  const billed: StreamEvent[] = [
    ['message_start', { message: { id: 'msg_1', role: 'assistant', content: [], usage } }],
    ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
    ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Half' } }],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 90 } }],
  ];
  const known = { input: 500, cacheRead: 40, cacheWrite: 0 };

  it.each<[number, number]>([
    [1, 3],
    [2, 3],
    [3, 3],
    [4, 3],
    [5, 90],
  ])('names what a reply is billed for that broke off after %i events', async (count, output) => {
    for (const end of ['close', 'reset'] as const) {
      const client = await start({ fault: 'sse', events: billed.slice(0, count), end });
      const asked = client.ask(modelRequest(), { signal: noAbort() });
      await expect(asked).rejects.toMatchObject({ kind: 'interrupted', usage: { ...known, output } });
      if (end === 'close') await server.close();
    }
  });

  it('names it also where an error came, where the reply is malformed, and where it is given up as idle', async () => {
    const ask = async (events: StreamEvent[], signal = noAbort()) =>
      (await start({ fault: 'sse', events, end: 'hang' })).ask(modelRequest(), { signal });
    await expect(ask([...billed, overloaded])).rejects.toMatchObject({ usage: { output: 90 } });
    await server.close();
    await expect(ask([...billed, ['message_start', {}]])).rejects.toMatchObject({
      kind: 'malformed',
      usage: { output: 90 },
    });
    await server.close();
    const idle = new ModelFailure('silent', { kind: 'idle', retryable: true });
    const controller = new AbortController();
    setTimeout(() => controller.abort(idle), 300);
    await expect(ask(billed, controller.signal)).rejects.toMatchObject({
      message: 'silent',
      kind: 'idle',
      usage: { output: 90 },
    });
  });

  it('names nothing where the server had named nothing', async () => {
    const client = await start({ fault: 'sse', events: [overloaded] });
    const failure = await client.ask(modelRequest(), { signal: noAbort() }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ModelFailure', usage: undefined });
  });

  it('fails when nobody listens at the address, and says which', async () => {
    const client = await start({ fault: 'reset' });
    await server.close();
    const failure = await client.ask(modelRequest(), { signal: noAbort() }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'connection', retryable: true });
    expect(String(failure)).toMatch(
      /No answer from http:\/\/127\.0\.0\.1:\d+\/v1\/messages: connect ECONNREFUSED/,
    );
    server = await startStrictServer([]);
  });

  it.each<[string, 'hang' | 'reset' | 'ping']>([
    ['stays open', 'hang'],
    ['is reset', 'reset'],
    ['goes on with pings', 'ping'],
  ])(
    'takes a reply that has ended, also where the connection %s',
    async (_, end) => {
      const events: StreamEvent[] = [
        ...begun,
        ['content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: ' hi"}' } }],
        ['content_block_stop', { index: 0 }],
        ['message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }],
        ['message_stop', {}],
      ];
      const client = await start({ fault: 'sse', events, end, every_ms: 20 });
      const message = await client.ask(modelRequest(), { signal: noAbort() });
      expect(message.content).toMatchObject([{ input: { command: 'echo hi' } }]);
    },
    3_000,
  );
});
