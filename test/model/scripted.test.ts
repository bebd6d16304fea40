import { describe, expect, it } from 'vitest';
import type { Message } from '../../machines/protocol.ts';
import type { Script, ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { modelRequest, noAbort, resultOf, userSays } from '../helpers/model-request.ts';

const play = (script: Script) => {
  const client = scriptedModel(script, 'test.yaml');
  return (...messages: Message[]) =>
    client.ask(modelRequest(messages.length > 0 ? { messages } : {}), { signal: noAbort() });
};
const textOf = ({ content }: { content: readonly { [field: string]: unknown }[] }) => content[0]?.text;
function circularBlock() {
  const block: Record<string, unknown> = { type: 'text', text: 'a' };
  block.self = block;
  return block;
}

describe('a scripted model', () => {
  it('is named as it was called', () => {
    expect(scriptedModel([], 'test.yaml').name).toBe('test.yaml');
  });

  it('answers like the service: a whole message with usage and stop reason', async () => {
    const ask = play({
      replies: [{ text: 'Reading.', calls: [{ name: 'read_file', input: { path: 'a' } }] }],
    });
    expect(await ask()).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  });

  it('stops with end_turn where it makes no call, and as the script says where that says so', async () => {
    const ask = play([
      { text: 'a' },
      { text: 'b', stop_reason: 'max_tokens' },
      { calls: [], stop_reason: null },
    ]);
    expect((await ask()).stop_reason).toBe('end_turn');
    expect((await ask()).stop_reason).toBe('max_tokens');
    expect(await ask()).toMatchObject({ content: [], stop_reason: null });
  });

  it('makes up ids that are new in the script and in the conversation', async () => {
    const call = { name: 'bash' };
    const ask = play([
      { calls: [call, { ...call, id: 'call_3' }, call] },
      { content: [{ type: 'tool_use', id: 'call_5', name: 'bash', input: {} }] },
      { calls: [call, call] },
    ]);
    const begun: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1', name: 'bash', input: {} }],
    };
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      const { content } = await ask(userSays('go'), begun, resultOf('call_1', 'done'));
      ids.push(content.map(({ id }) => id));
    }
    expect(ids).toEqual([['call_2', 'call_3', 'call_4'], ['call_5'], ['call_6', 'call_7']]);
  });

  it('gives each request the first fitting reply that is left', async () => {
    const ask = play([
      { when: 'never said', text: 'passed over' },
      { when: '/FILE NOT/i', text: 'I look elsewhere.' },
      { text: 'whatever you say' },
      { when: '^exactly this$', text: 'exactly' },
    ]);
    const call: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1', name: 'x', input: {} }],
    };
    expect(textOf(await ask(userSays('never said now'), call, resultOf('call_1', 'File not found')))).toBe(
      'I look elsewhere.',
    );
    expect(textOf(await ask(userSays('anything')))).toBe('whatever you say');
    expect(textOf(await ask({ role: 'user', content: 'exactly this' }))).toBe('exactly');
  });

  it('reads the texts inside of results, and the last user message behind a paused turn', async () => {
    const result = {
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'text', text: 'deep' }, { type: 'image' }],
    };
    const ask = play([{ when: 'deep', text: 'found' }]);
    expect(
      textOf(await ask({ role: 'user', content: [result] }, { role: 'assistant', content: [{ type: 'x' }] })),
    ).toBe('found');
  });

  it('says where it ends: the request, the number of replies, the patterns that did not fit', async () => {
    const short = play([{ text: 'only this' }]);
    await short();
    await expect(short()).rejects.toMatchObject({
      kind: 'script',
      retryable: false,
      message: 'test.yaml has no reply to request 2: of 1 replies, none is left. Add one to it',
    });
    await expect(
      play([
        { when: 'yes', text: 'a' },
        { when: '/no/i', text: 'b' },
      ])(),
    ).rejects.toThrow(
      'test.yaml has no reply to request 1: of 2 replies, none of those left fits what the model was told: /yes/, /no/i',
    );
  });

  it('asks a function for each reply, with a request that it may change', async () => {
    const ask = play(async (request, n) => {
      (request.messages as Message[]).length = 0;
      return { text: `reply ${n} of ${request.model}` };
    });
    const messages = [userSays('hello')];
    expect(textOf(await ask(...messages))).toBe('reply 1 of claude-sonnet-5-5');
    expect(textOf(await ask(...messages))).toBe('reply 2 of claude-sonnet-5-5');
    expect(messages).toHaveLength(1);
  });

  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('out of ideas');
      },
      'out of ideas',
    ],
    ['gives nothing', () => undefined, 'test.yaml, reply 1: '],
    ['gives something else', () => ({ words: 'hello' }), 'words'],
  ])('fails for good where the function %s', async (_, reply, words) => {
    const failure = await play(reply as Script)().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'script', retryable: false });
    expect(String(failure)).toContain(words);
  });

  it.each<[string, unknown]>([
    ['a function', { calls: [{ name: 'x', input: { a: () => {} } }] }],
    ['a big integer', { text: 'a', usage: { input_tokens: 1n } }],
    ['a circle', { content: [circularBlock()] }],
    [
      'a depth that no stack bears',
      { calls: [{ name: 'x', input: JSON.parse(`${'['.repeat(9_999)}${']'.repeat(9_999)}`) }] },
    ],
  ])('is refused where a reply cannot be written as JSON, before it is said: %s', async (_, reply) => {
    const refused = /test\.yaml, reply 1: (calls|usage|content): cannot be written as JSON: it/;
    expect(() => scriptedModel([reply] as Script, 'test.yaml')).toThrow(refused);
    const failure = await play((() => reply) as Script)().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'script',
      retryable: false,
      message: expect.stringMatching(refused),
    });
  });

  it('cannot be changed through what it gave', async () => {
    const input = { path: ['a'] };
    const script: ScriptReply[] = [{ content: [{ type: 'tool_use', id: 'a', name: 'x', input }] }];
    const { content } = await play(script)();
    (content[0] as unknown as { input: typeof input }).input.path.push('b');
    expect(input.path).toEqual(['a']);
  });

  it('waits as long as the script says, and not when it is aborted', async () => {
    const client = scriptedModel(
      [
        { text: 'late', delay_ms: 60_000 },
        { text: 'soon', delay_ms: 50 },
      ],
      'test.yaml',
    );
    const begun = Date.now();
    await expect(client.ask(modelRequest(), { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    expect(textOf(await client.ask(modelRequest(), { signal: noAbort() }))).toBe('soon');
    expect(Date.now() - begun).toBeGreaterThanOrEqual(95);
    expect(Date.now() - begun).toBeLessThan(30_000);
  });

  it.each<[string, unknown, string]>([
    ['no list', { reply: [] }, 'test.yaml: a script is a list of replies, or {replies: [...]}'],
    ['a reply that says nothing', [{ text: 'a' }, {}], 'test.yaml, reply 2: says nothing'],
    ['an unknown key', [{ txt: 'a' }], 'test.yaml, reply 1: Unrecognized key: "txt"'],
    ['an unknown key beside the replies', { replies: [], extra: 1 }, 'a script is a list of replies'],
    [
      'an unknown key in a call',
      [{ calls: [{ name: 'x', args: {} }] }],
      'test.yaml, reply 1: calls.0: Unrecognized key: "args"',
    ],
    ['a call without a name', [{ calls: [{}] }], 'test.yaml, reply 1: calls.0.name: '],
    ['a block without a type', [{ content: [{ text: 'a' }] }], 'test.yaml, reply 1: content.0.type: '],
    ['two ways of saying it', [{ content: [], text: 'a' }], 'leave out text and calls'],
    ['a pattern that is none', [{ when: '(', text: 'a' }], 'test.yaml, reply 1: when: SyntaxError'],
    ['an unknown fault', [{ fault: 'fire' }], 'test.yaml, reply 1: fault: '],
    ['calls beside a fault', [{ fault: 'cut', calls: [] }], 'a fault comes with nothing'],
    ['text beside a status', [{ fault: { status: 500 }, text: 'a' }], 'text arrives only before'],
    ['a status of success', [{ fault: { status: 200 } }], 'test.yaml, reply 1: fault'],
    ['a wait below zero', [{ text: 'a', delay_ms: -1 }], 'test.yaml, reply 1: delay_ms: '],
  ])('refuses a script with %s, in one line that says where', (_, script, words) => {
    expect(() => scriptedModel(script as Script, 'test.yaml')).toThrow(words);
    expect(() => scriptedModel(script as Script, 'test.yaml')).not.toThrow('\n');
  });
});
