import { execFile } from 'node:child_process';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { type AnthropicOptions, anthropicModel } from '../../src/model/anthropic.ts';
import { ModelFailure } from '../../src/model/client.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';
import {
  type StrictOptions,
  type StrictReply,
  type StrictServer,
  startStrictServer,
} from '../helpers/strict-server.ts';

const KEY = 'sk-ant-a-very-secret-key';
const says = (text: string): StrictReply => ({ content: [{ type: 'text', text }], stop_reason: 'end_turn' });
const ask = (options: AnthropicOptions, request = modelRequest()) =>
  anthropicModel(options).ask(request, { signal: noAbort() });

describe('the client of the Messages API', () => {
  let server: StrictServer;
  const serve = async (replies: StrictReply[], options?: StrictOptions) => {
    server = await startStrictServer(replies, options);
    return server.url;
  };
  afterEach(() => server?.close());

  it('is named after the host that it asks', () => {
    expect(anthropicModel({ apiKey: KEY }).name).toBe('api.anthropic.com');
    expect(anthropicModel({ apiKey: KEY, baseUrl: 'http://localhost:8080/v1' }).name).toBe('localhost:8080');
  });

  it('sends one streamed request with the pinned version and the key', async () => {
    await ask({ apiKey: KEY, baseUrl: await serve([says('ok')]) });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/messages', violations: [] });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'anthropic-version': '2026-10-21',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    });
    const { stream, ...rest } = request?.body ?? {};
    expect(stream).toBe(true);
    expect(Object.keys(rest).sort()).toEqual(['max_tokens', 'messages', 'model', 'system', 'tools']);
  });

  it('sends a token where there is no key, and the key where there are both', async () => {
    const baseUrl = await serve([says('ok'), says('ok')]);
    await ask({ authToken: 'a-token', baseUrl });
    await ask({ apiKey: KEY, authToken: 'a-token', baseUrl });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer a-token',
      `Bearer ${KEY}`,
    ]);
  });

  it.each(['', '/', '/v1', '/v1/', '/proxy/x'])(
    'finds the service behind the address with "%s"',
    async (suffix) => {
      await ask({ apiKey: KEY, baseUrl: (await serve([says('ok')])) + suffix });
      expect(server.requests[0]?.path).toBe(suffix === '/proxy/x' ? '/proxy/x/v1/messages' : '/v1/messages');
    },
  );

  it('sends betas and further headers with each request, and keeps the secrets among them to itself', async () => {
    const gatewayKey = 'a-gateway-secret';
    const baseUrl = await serve([
      says('ok'),
      { fault: 'status', status: 500, body: `echo: ${gatewayKey} ${KEY}` },
    ]);
    const options = {
      apiKey: KEY,
      baseUrl,
      betas: ['a-1', 'b-2'],
      headers: { 'X-Team': 'red', 'x-gateway-key': gatewayKey },
    };
    const client = anthropicModel(options);
    await client.ask(modelRequest(), { signal: noAbort() });
    await client.countTokens?.(modelRequest(), { signal: noAbort() });
    const extra = { 'anthropic-beta': 'a-1,b-2', 'x-team': 'red', 'x-gateway-key': gatewayKey };
    expect(server.requests[0]?.headers).toMatchObject({ ...extra, authorization: `Bearer ${KEY}` });
    expect(server.counts[0]?.headers).toMatchObject(extra);
    expect(client.secrets).toEqual([KEY, gatewayKey]);
    await expect(ask(options)).rejects.toThrow('echo: *** ***');
  });

  it('asks for the display of thinking and leaves marks of the cache out where that is wanted', async () => {
    const baseUrl = await serve([says('ok'), says('ok')]);
    await ask({ apiKey: KEY, baseUrl, thinkingDisplay: 'summarized' });
    await ask({ apiKey: KEY, baseUrl, cache: false });
    expect(server.requests[0]?.body.thinking).toEqual({ type: 'adaptive', display: 'summarized' });
    expect(server.requests[0]?.raw).toContain('cache_control');
    expect(server.requests[1]?.raw).not.toMatch(/cache_control|thinking/);
  });

  it('does not send what the model is known to refuse', async () => {
    const baseUrl = await serve([]);
    const old = modelRequest({ model: 'claude-haiku-4-5' });
    const refused = { kind: 'http', retryable: false };
    await expect(ask({ apiKey: KEY, baseUrl, thinkingDisplay: 'omitted' }, old)).rejects.toMatchObject(
      refused,
    );
    await expect(ask({ apiKey: KEY, baseUrl }, { ...old, effort: 'low' })).rejects.toThrow(
      'The request was not sent: claude-haiku-4-5 has no effort to set',
    );
    const counted = anthropicModel({ apiKey: KEY, baseUrl }).countTokens?.(
      { ...old, effort: 'low' },
      { signal: noAbort() },
    );
    await expect(counted).rejects.toMatchObject(refused);
    expect([server.requests, server.counts]).toEqual([[], []]);
  });

  it('shows the full address for a 404', async () => {
    const baseUrl = await serve([{ fault: 'status', status: 404, body: 'nothing here' }]);
    await expect(ask({ apiKey: KEY, baseUrl })).rejects.toThrow(
      `HTTP 404: nothing here (asked: ${baseUrl}/v1/messages, request id: req_1)`,
    );
  });

  it('reads the text of the server out of its answer', async () => {
    const error = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'max_tokens: Field required' },
    };
    const baseUrl = await serve([
      { fault: 'status', status: 400, body: error },
      { fault: 'status', status: 500, body: { detail: 'of another shape' } },
      {
        fault: 'body',
        status: 503,
        content_type: 'text/html',
        text: '<html><title>Be right back</title></html>',
      },
      {
        fault: 'status',
        status: 429,
        body: { error: { details: { error_code: 'enforced_spend_limit_reached' } } },
      },
    ]);
    await expect(ask({ apiKey: KEY, baseUrl })).rejects.toThrow('HTTP 400: max_tokens: Field required');
    await expect(ask({ apiKey: KEY, baseUrl })).rejects.toThrow('of another shape');
    await expect(ask({ apiKey: KEY, baseUrl })).rejects.toThrow('HTTP 503: Be right back');
    await expect(ask({ apiKey: KEY, baseUrl })).rejects.toMatchObject({ status: 429, retryable: false });
  });

  it('never repeats the key, in whatever way the server does', async () => {
    const baseUrl = await serve([
      { fault: 'status', status: 401, body: { error: { message: `invalid key ${KEY}` } } },
      { fault: 'status', status: 500, body: `echo: ${KEY}` },
      { fault: 'sse', events: [['error', { error: { type: 'api_error', message: KEY } }]] },
      { fault: 'sse', events: [['message_start', KEY]] },
    ]);
    for (let n = 0; n < 4; n += 1) {
      const failure = await ask({ apiKey: KEY, baseUrl }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ModelFailure);
      expect(inspect(failure, { depth: null })).not.toContain(KEY);
    }
  });

  it('refuses to start without a key, and names the variable', () => {
    expect(() => anthropicModel({})).toThrow('ANTHROPIC_API_KEY');
    expect(() => anthropicModel({ apiKey: '' })).toThrow('ANTHROPIC_API_KEY');
  });

  it.each(['with\nbreak', 'with space', 'schlüssel'])(
    'refuses a key that fits in no header, without it',
    (apiKey) => {
      expect(() => anthropicModel({ apiKey })).toThrow('characters that no key has');
      expect(() => anthropicModel({ apiKey })).not.toThrow(apiKey);
    },
  );

  it.each([1, 3])('reads characters and events that arrive in pieces of %i bytes', async (chunkBytes) => {
    const text = 'Grüße 東京 😀 é\u0301';
    const call = { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'echo "😀\n"' } };
    const baseUrl = await serve([{ content: [{ type: 'text', text }, call], stop_reason: 'tool_use' }], {
      chunkBytes,
    });
    expect((await ask({ apiKey: KEY, baseUrl })).content).toEqual([{ type: 'text', text }, call]);
  });

  it('uses one connection for one request after the other', async () => {
    const client = anthropicModel({ apiKey: KEY, baseUrl: await serve([says('1'), says('2'), says('3')]) });
    for (let n = 0; n < 3; n += 1) await client.ask(modelRequest(), { signal: noAbort() });
    expect(server.connections).toBe(1);
  });

  it('leaves no listener behind on a signal that outlives the request', async () => {
    const client = anthropicModel({ apiKey: KEY, baseUrl: await serve([says('1'), says('2')]) });
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...parameters: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, parameters);
    };
    signal.removeEventListener = (...parameters: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, parameters);
    };
    await client.ask(modelRequest(), { signal });
    expect(listeners).toBe(0);
  });

  it('takes another fetch', async () => {
    const asked: string[] = [];
    const baseUrl = await serve([says('ok')]);
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(String(input));
      return globalThis.fetch(input, init);
    };
    expect(await ask({ apiKey: KEY, baseUrl, fetch })).toMatchObject({ stop_reason: 'end_turn' });
    expect(asked).toEqual([`${baseUrl}/v1/messages`]);
  });

  it('does not keep the process, writes nothing of its own, and takes no credential from the surroundings', async () => {
    const baseUrl = await serve([says('ok')]);
    const file = path.resolve(import.meta.dirname, '../../dist/index.js');
    const script = `
      import { anthropicModel } from ${JSON.stringify(file)};
      const client = anthropicModel({ apiKey: 'given', baseUrl: process.argv[1] });
      const request = ${JSON.stringify(modelRequest())};
      await client.ask(request, { signal: new AbortController().signal });
      const answered = Date.now();
      process.on('exit', () => console.log(Date.now() - answered));`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, baseUrl],
      {
        cwd: import.meta.dirname,
        env: {
          PATH: process.env.PATH,
          ANTHROPIC_LOG: 'debug',
          ANTHROPIC_API_KEY: 'other',
          ANTHROPIC_AUTH_TOKEN: 'other',
        },
      },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\d+\n$/);
    expect(Number(stdout)).toBeLessThan(3_000);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer given');
  });
});
