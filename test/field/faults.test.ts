import { describe, expect, it } from 'vitest';
import { anthropicModel, type RunOptions } from '../../src/index.ts';
import type { RunEvent } from '../../src/outcome.ts';
import type { StrictReply } from '../helpers/strict-server.ts';
import { call, calls, place, play, says } from './support.ts';

const BEGUN = [
  [
    'message_start',
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 40, output_tokens: 1 },
      },
    },
  ],
  [
    'content_block_start',
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ],
  [
    'content_block_delta',
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half of a' } },
  ],
] as const;
const OVERLOADED = [
  'error',
  { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
] as const;
const status = (code: number, headers: Record<string, string> = { 'retry-after-ms': '1' }): StrictReply => ({
  fault: 'status',
  status: code,
  headers,
});
const append = (id: string, line: string) =>
  calls(call(id, 'bash', { command: `echo ${line} >> lines.txt` }));

/** An error in the stream, of a type that is told before a stream by a status. */
const errorEvent = (type: string, message: string) =>
  ['error', { type: 'error', error: { type, message } }] as const;
const page = (code: number) =>
  ({ fault: 'body', status: code, content_type: 'text/html', text: `<h1>${code}</h1>` }) as const;

/** The fault comes between the first and the second round. @param isShown somebody looks at the text as it comes */
async function inTheMiddle(fault: StrictReply, isShown = true, options: Partial<RunOptions> = {}) {
  const at = place();
  const events: RunEvent[] = [];
  const isSilent = fault.fault === 'delay' || (fault.fault === 'sse' && fault.end === 'hang');
  const played = await play([append('toolu_1', 'one'), fault, append('toolu_2', 'two'), says('done')], {
    at,
    options: {
      ...(isSilent && { idleTimeoutMs: 1_500 }),
      ...(isShown && { onEvent: (event) => events.push(event) }),
      ...options,
    },
  });
  return { ...played, events, lines: at.read('lines.txt') };
}

const PASSING: [string, StrictReply][] = [
  ['408', status(408)],
  ['409', status(409)],
  ['429', status(429)],
  ['500', status(500)],
  ['502', status(502)],
  ['503', status(503)],
  ['504, as a page of a gateway', page(504)],
  ['529', status(529)],
  ['what the server calls worth it', status(418, { 'x-should-retry': 'true', 'retry-after-ms': '1' })],
  ['a connection that is reset before the answer', { fault: 'reset' }],
  ['a stream that is reset', { fault: 'sse', events: BEGUN, end: 'reset' }],
  ['a stream that ends without its end event', { fault: 'sse', events: BEGUN, end: 'close' }],
  ['a stream that goes silent', { fault: 'sse', events: BEGUN, end: 'hang' }],
  ['a connection on which nothing comes', { fault: 'delay', ms: 60_000, reply: says('late') }],
  ['an error event in the stream', { fault: 'sse', events: [...BEGUN, OVERLOADED] }],
  ['an error event before anything', { fault: 'sse', events: [errorEvent('api_error', 'Internal')] }],
  ['a stream of data that is no JSON', { fault: 'sse', events: [...BEGUN, ['ping', '{"half']] }],
  ['a stream without an event', { fault: 'sse', events: [] }],
  ['an empty answer', { fault: 'body', content_type: 'application/json', text: '' }],
  ['a page instead of a message', { fault: 'body', content_type: 'text/html', text: '<h1>Sign in</h1>' }],
  [
    'JSON instead of a stream',
    { fault: 'body', content_type: 'application/json', text: '{"type":"message","content":[]}' },
  ],
];

describe.each([
  ['is shown as it comes', true],
  ['is not shown', false],
])('a fault in the middle of a run whose text %s, and that is worth another try', (_, isShown) => {
  it.each(PASSING)('%s costs one request more, and nothing is done twice', async (_, fault) => {
    const { outcome, server, lines, records, events } = await inTheMiddle(fault, isShown, {
      maxRetryWaitMs: 20,
    });
    expect(outcome).toMatchObject({
      status: 'answered',
      result: 'done',
      counters: { turns: 3, attempts: 4 },
    });
    expect(server.requests).toHaveLength(4);
    expect(server.requests[2]?.raw).toBe(server.requests[1]?.raw);
    expect(lines).toBe('one\ntwo\n');
    const failed = records.filter(({ type }) => type === 'attempt.failed');
    expect(failed).toMatchObject([{ turn: 2, attempt: 1, failure: { retryable: true } }]);
    expect(records.filter(({ type }) => type === 'reply.received')).toHaveLength(3);
    const shown = events.some((event) => event.type === 'text' && event.text.includes('half'));
    if (shown) expect(events.some(({ type }) => type === 'text.withdrawn')).toBe(true);
  });
});

describe('another try', () => {
  it('counts what a broken reply had cost, as far as the service had said it', async () => {
    const { outcome } = await inTheMiddle({ fault: 'sse', events: BEGUN, end: 'close' });
    expect(outcome.usage.input).toBe(3 * 100 + 40);
  });

  it('is not waited for longer than is allowed, and the message says so', async () => {
    const { outcome, server } = await inTheMiddle(status(429, { 'retry-after': '3600' }));
    expect(outcome.status).toBe('model_error');
    expect(outcome.errors.join()).toMatch(/3600 s.*longest wait is 300 s/);
    expect(server.requests).toHaveLength(2);
  });

  it('is tried as often as is said and no oftener', async () => {
    const { outcome, server } = await play(
      Array.from({ length: 9 }, () => status(529)),
      {
        options: { limits: { maxRetries: 3 } },
      },
    );
    expect([outcome.status, server.requests.length]).toEqual(['model_error', 4]);
  });

  it('is tried again no sooner than the service asks', async () => {
    const started = performance.now();
    const { server } = await inTheMiddle(status(429, { 'retry-after': '1' }));
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(server.requests).toHaveLength(4);
  });
});

describe('a fault that no other try mends', () => {
  const FINAL: [string, StrictReply][] = [
    ...[400, 401, 402, 403, 404, 413].map((code): [string, StrictReply] => [String(code), status(code)]),
    ['413, as a page of the edge', page(413)],
    ['what the server calls not worth it', status(500, { 'x-should-retry': 'false' })],
    [
      'a bad request that is told in the stream',
      { fault: 'sse', events: [...BEGUN, errorEvent('invalid_request_error', 'no')] },
    ],
    [
      'a limit on spending that is told in the stream',
      { fault: 'sse', events: [...BEGUN, errorEvent('rate_limit_error', 'Your spend limit is reached')] },
    ],
    [
      'a limit on spending that a gateway passes on',
      { fault: 'status', status: 429, body: 'enforced_spend_limit_reached' },
    ],
  ];
  const both = FINAL.flatMap(([name, fault]) =>
    [true, false].map((isShown) => [name, isShown, fault] as const),
  );
  it.each(both)('%s (text shown: %s) ends the run after this one request', async (_, isShown, fault) => {
    const { outcome, server, lines } = await inTheMiddle(fault, isShown);
    expect(outcome).toMatchObject({ status: 'model_error', exitCode: 25 });
    expect(server.requests).toHaveLength(2);
    expect(lines).toBe('one\n');
  });

  it.each<[string, unknown]>([
    [
      'enforced',
      {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message: 'limit',
          details: { error_code: 'enforced_spend_limit_reached' },
        },
      },
    ],
    [
      'of the contract',
      {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message: 'limit',
          details: { error_code: 'contract_spend_limit_reached' },
        },
      },
    ],
  ])('a spending limit (%s) is no rate limit', async (_, body) => {
    const { outcome, server } = await inTheMiddle({ fault: 'status', status: 429, body });
    expect([outcome.status, server.requests.length]).toEqual(['model_error', 2]);
  });

  it('a prompt that is too long ends as context_exhausted, and is not sent unchanged again', async () => {
    const body = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 1 > 0' },
    };
    const { outcome, server } = await inTheMiddle({ fault: 'status', status: 400, body });
    expect(outcome).toMatchObject({ status: 'context_exhausted', exitCode: 22 });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a service that is not there', () => {
  it('is asked as often as is said, and the address is named', async () => {
    const { outcome } = await play([], {
      options: {
        client: anthropicModel({ apiKey: 'k', baseUrl: 'http://127.0.0.1:9' }),
        limits: { maxRetries: 1 },
        maxRetryWaitMs: 20,
      },
    });
    expect(outcome).toMatchObject({ status: 'model_error', counters: { attempts: 2 } });
    expect(outcome.errors.join()).toMatch(/^No answer from http:\/\/127\.0\.0\.1:9\/v1\/messages: /);
  });
});

describe('a result of any size', () => {
  it('enters the history cut in the middle, with its true size, and the model can read the whole', async () => {
    const at = place();
    const wide = 'x'.repeat(120_000);
    at.write('wide.py', `print(open('data').read())`);
    at.write('data', wide);
    const { outcome, server } = await play(
      [calls(call('toolu_1', 'bash', { command: 'cat data' })), says('seen')],
      { at },
    );
    expect(outcome.status).toBe('answered');
    expect(server.requests[1]?.raw.length).toBeLessThan(80_000);
    expect(server.requests[1]?.raw).toMatch(/characters left out/);
  });
});
