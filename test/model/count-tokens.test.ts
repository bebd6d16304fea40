import { afterEach, describe, expect, it } from 'vitest';
import { anthropicModel } from '../../src/model/anthropic.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { requestBytes } from '../../src/model/wire.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { type StrictServer, startStrictServer } from '../helpers/strict-server.ts';

const count = async (baseUrl: string, signal = noAbort()) =>
  anthropicModel({ apiKey: 'a-key', baseUrl }).countTokens?.(modelRequest({ effort: 'high' }), { signal });

const answering = async (status: string, type: string, body: string, length = body.length) => {
  const { url } = await startRawServer((socket) => {
    socket.end(`HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`);
  });
  return url;
};

describe('a count of tokens', () => {
  let server: StrictServer | undefined;
  afterEach(() => server?.close());

  it('is asked for with the request as it would be sent, without limit and stream', async () => {
    server = await startStrictServer([]);
    expect(await count(server.url)).toBe(server.counts[0]?.raw.length);
    const sent = JSON.parse(requestBytes(modelRequest({ effort: 'high' })).toString('utf8'));
    const { max_tokens: _limit, stream: _stream, ...rest } = sent;
    expect(server.counts[0]).toMatchObject({ path: '/v1/messages/count_tokens', violations: [], body: rest });
    expect(server.requests).toEqual([]);
  });

  it('is something that a script does not have', () => {
    expect(scriptedModel([]).countTokens).toBeUndefined();
  });

  it.each<[string, string, string, object]>([
    [
      '429 Busy',
      'application/json',
      '{"error":{"message":"slow down"}}',
      { kind: 'http', status: 429, retryable: true },
    ],
    ['404 No', 'text/plain', 'nothing', { kind: 'http', status: 404, retryable: false }],
    ['200 OK', 'application/json', '{"input_tokens":"9"}', { kind: 'malformed', retryable: true }],
    ['200 OK', 'application/json', '{"input_tokens":-1}', { kind: 'malformed' }],
    ['200 OK', 'application/json', '[1', { kind: 'malformed' }],
    ['200 OK', 'application/json', 'null', { kind: 'malformed' }],
    ['200 OK', 'text/html', '<html>', { kind: 'malformed' }],
    ['204 Empty', 'application/json', '', { kind: 'malformed' }],
  ])('fails where the answer is none: %s, %s, %s', async (status, type, body, failure) => {
    await expect(count(await answering(status, type, body))).rejects.toMatchObject(failure);
  });

  it('fails where the answer breaks off, and where nobody answers, which may both pass', async () => {
    const cut = await answering('200 OK', 'application/json', '{"input', 100);
    await expect(count(cut)).rejects.toMatchObject({ kind: 'interrupted', retryable: true });
    const { url } = await startRawServer((socket) => socket.resetAndDestroy());
    await expect(count(url)).rejects.toMatchObject({ kind: 'connection', retryable: true });
  });

  it('ends when it is aborted', async () => {
    const { url } = await startRawServer(() => {});
    await expect(count(url, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
