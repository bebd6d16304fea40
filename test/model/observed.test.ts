import { afterEach, describe, expect, it } from 'vitest';
import { anthropicModel } from '../../src/model/anthropic.ts';
import { nodeFetch } from '../../src/model/fetch.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';
import { type StrictReply, type StrictServer, startStrictServer } from '../helpers/strict-server.ts';

const says = (text: string): StrictReply => ({ content: [{ type: 'text', text }], stop_reason: 'end_turn' });

describe('a request that is listened to', () => {
  let server: StrictServer;
  afterEach(() => server.close());

  it.each([
    ['of Node', nodeFetch],
    ['that is built in', globalThis.fetch],
  ])('is heard from its headers to its end, over the fetch %s', async (_, fetch) => {
    server = await startStrictServer([says('ok')], { chunkBytes: 50 });
    const signs: string[] = [];
    const client = anthropicModel({ apiKey: 'a-key', baseUrl: server.url, fetch });
    const onActivity = (sign: string) => void signs.push(sign);
    expect(await client.ask(modelRequest(), { signal: noAbort(), onActivity })).toMatchObject({
      content: [{ text: 'ok' }],
    });
    expect(signs.slice(0, 2)).toEqual(['life', 'life']);
    expect(signs.filter((sign) => sign === 'life').length).toBeGreaterThan(5);
    expect(signs.filter((sign) => sign === 'progress')).toHaveLength(6);
  });

  it.each([
    ['of Node', nodeFetch],
    ['that is built in', globalThis.fetch],
  ])('tells an error as it is, over the fetch %s', async (_, fetch) => {
    server = await startStrictServer([{ fault: 'status', status: 529, body: 'full' }]);
    const client = anthropicModel({ apiKey: 'a-key', baseUrl: server.url, fetch });
    await expect(client.ask(modelRequest(), { signal: noAbort() })).rejects.toThrow('HTTP 529: full');
    expect(await client.countTokens?.(modelRequest(), { signal: noAbort() })).toBeGreaterThan(0);
  });
});
