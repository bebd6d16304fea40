/** What the marks are for: the price of the input, on the rules that the service has written down. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../machines/protocol.ts';
import { anthropicModel } from '../../src/model/anthropic.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import { requestBytes } from '../../src/model/wire.ts';
import { cacheLedger, inputCost, promptTokens } from '../helpers/cache-ledger.ts';
import { modelRequest, noAbort, userSays } from '../helpers/model-request.ts';
import type { Fields } from '../helpers/strict-form.ts';
import { type StrictServer, startStrictServer } from '../helpers/strict-server.ts';

/** A round of calls with results of so many characters each. */
function round(turn: number, calls: number, characters: number): Message[] {
  const ids = Array.from({ length: calls }, (_, at) => `t${turn}_${at}`);
  return [
    {
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'read_file', input: { path: `${id}.txt` } })),
    },
    {
      role: 'user',
      content: ids.map((id) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: id.padEnd(characters, '.'),
      })),
    },
  ];
}

/** The usage of each request of a run, by the ledger. */
function usagesOf(turns: number, calls: number, changes: Partial<ModelRequest> = {}) {
  const charge = cacheLedger();
  const messages = [userSays('Read everything.')];
  return Array.from({ length: turns }, (_, turn) => {
    const request = modelRequest({ system: 'Be brief. '.repeat(100), ...changes, messages: [...messages] });
    messages.push(...round(turn, calls, 2_048));
    return charge(JSON.parse(requestBytes(request).toString('utf8')) as Fields);
  });
}

const share = (usages: ReturnType<typeof usagesOf>) =>
  inputCost(usages) / usages.reduce((sum, usage) => sum + promptTokens(usage), 0);

describe('the input of a long run', () => {
  it('costs at most 11.5 % of what it costs without a cache, over 200 turns with results of 2 KB', () => {
    expect(share(usagesOf(200, 1))).toBeLessThan(0.115);
  });

  it.each([9, 10, 12, 30])('is read from the cache also where each round makes %i calls', (calls) => {
    const usages = usagesOf(40, calls);
    const read = usages.map((usage) => usage.cache_read_input_tokens);
    expect(read.slice(2)).toEqual(usages.slice(1, -1).map(promptTokens));
    expect(usages.at(-1)?.input_tokens).toBe(0);
  });

  it('is read from the cache also without a system prompt', () => {
    expect(share(usagesOf(200, 1, { system: '' }))).toBeLessThan(0.115);
  });
});

describe('the ledger', () => {
  const marked = (value: string) => ({ type: 'text', text: value, cache_control: { type: 'ephemeral' } });
  const body = (...content: object[]): Fields => ({ messages: [{ role: 'user', content }] });
  const long = marked('x'.repeat(8_000));

  it('keeps nothing that is shorter than the least, and nothing without a mark', () => {
    const charge = cacheLedger();
    charge(body(marked('short')));
    charge(body({ ...long, cache_control: undefined }));
    expect(charge(body(marked('short')))).toMatchObject({ cache_read_input_tokens: 0 });
    expect(charge(body(long))).toMatchObject({ cache_read_input_tokens: 0, input_tokens: 0 });
  });

  it('finds what was kept up to 20 blocks back, and not farther', () => {
    const plain = { ...long, cache_control: undefined };
    const after = (blocks: number) => [
      plain,
      ...Array(blocks).fill({ type: 'text', text: 'x' }),
      marked('end'),
    ];
    for (const [blocks, isFound] of [
      [18, true],
      [19, false],
    ] as const) {
      const charge = cacheLedger();
      charge(body(long));
      expect(charge(body(...after(blocks))).cache_read_input_tokens > 0).toBe(isFound);
    }
  });

  it('forgets after five minutes in which nobody asked', () => {
    const charge = cacheLedger();
    const reads = [0, 299_000, 598_000, 899_000].map(
      (at) => charge(body(long), at).cache_read_input_tokens > 0,
    );
    expect(reads).toEqual([false, true, true, false]);
  });

  it('reads nothing of a prefix that has changed, nor of messages under another choice of tools', () => {
    const charge = cacheLedger();
    charge(body(long));
    expect(charge(body(marked('y'), long)).cache_read_input_tokens).toBe(0);
    expect(charge({ ...body(long), tool_choice: { type: 'none' } }).cache_read_input_tokens).toBe(0);
  });
});

describe('over the wire', () => {
  let server: StrictServer;
  afterEach(() => server?.close());

  it('requests with marks are accepted, and each reads what the one before had written', async () => {
    const charge = cacheLedger({ minimum: 100 });
    const calls = Array.from({ length: 12 }, (_, turn) => round(turn, 11, 500));
    server = await startStrictServer(
      calls.map(([reply]) => ({ content: [...(reply?.content ?? [])] as [], stop_reason: 'tool_use' })),
      { usageOf: charge },
    );
    const client = anthropicModel({ apiKey: 'a-key', baseUrl: server.url });
    const messages = [userSays('x'.repeat(1_000))];
    const read: unknown[] = [];
    for (const [, answer] of calls) {
      const { usage, content } = await client.ask(modelRequest({ messages: [...messages] }), {
        signal: noAbort(),
      });
      read.push(usage?.cache_read_input_tokens, usage?.cache_creation_input_tokens);
      messages.push({ role: 'assistant', content }, ...(answer ? [answer] : []));
    }
    expect(server.requests.flatMap(({ violations }) => violations)).toEqual([]);
    let known = 0;
    for (let at = 0; at < read.length; at += 2) {
      expect(read[at]).toBe(known);
      known = Number(read[at]) + Number(read[at + 1]);
    }
    expect(known).toBeGreaterThan(10_000);
  });
});
