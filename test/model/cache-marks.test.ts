import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../../machines/protocol.ts';
import { markedPlaces } from '../../src/model/cache-marks.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import { requestBytes } from '../../src/model/wire.ts';
import { modelRequest, userSays } from '../helpers/model-request.ts';

const MARK = { type: 'ephemeral' };
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const thinking = { type: 'thinking', thinking: 'hm', signature: 'x' };
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'bash', input: {} });
const result = (id: string, content = 'done'): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const ids = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);
const round = (count: number) => [
  assistant(...ids(count).map(call)),
  user(...ids(count).map((id) => result(id))),
];
const bodyOf = (changes: Partial<ModelRequest>, cache = true) =>
  JSON.parse(requestBytes(modelRequest(changes), { cache }).toString('utf8'));

/** The body without marks, and how many there were. */
function unmarked(body: unknown): { plain: unknown; marks: number } {
  let marks = 0;
  const plain = JSON.parse(JSON.stringify(body), (key, value) => {
    if (key !== 'cache_control') return value;
    expect(value).toEqual(MARK);
    marks += 1;
    return undefined;
  });
  return { plain, marks };
}

describe('the mark on the head of a request', () => {
  it('stands on the system prompt, behind the tools', () => {
    const { system, tools } = bodyOf({ system: 'be good' });
    expect(system).toEqual([{ ...text('be good'), cache_control: MARK }]);
    expect(JSON.stringify(tools)).not.toContain('cache_control');
  });

  it('stands on the last tool where there is no system prompt', () => {
    const { tools } = bodyOf({ system: ' ' });
    expect(tools.map((tool: object) => 'cache_control' in tool)).toEqual([false, true]);
  });

  it('is not made where there is neither', () => {
    expect(Object.keys(bodyOf({ system: '', tools: [] }))).toEqual([
      'messages',
      'model',
      'max_tokens',
      'stream',
    ]);
  });
});

describe('the marks on the conversation', () => {
  it.each<[string, readonly Message[], readonly (readonly [number, number])[]]>([
    ['on the question', [userSays('hi')], [[0, 0]]],
    ['on the last result', [userSays('hi'), ...round(3)], [[2, 2]]],
    [
      'on a text behind the results',
      [userSays('hi'), assistant(call('a')), user(result('a'), text('go'))],
      [[2, 1]],
    ],
    ['before an empty text', [user(text('hi'), text(''), text(' '))], [[0, 0]]],
    ['before a turn that is sent back as it came', [userSays('hi'), assistant(text('a'))], [[0, 0]]],
    ['before a block of an unknown type', [user(text('hi'), { type: 'novelty' })], [[0, 0]]],
    [
      'in a message before, where the last can bear none',
      [userSays('hi'), assistant(text('a')), user({ type: 'novelty' })],
      [[0, 0]],
    ],
    [
      'before a block that has one of its own',
      [user(text('a'), { ...text('b'), cache_control: MARK })],
      [[0, 0]],
    ],
    ['nowhere where nothing can bear one', [user({ type: 'novelty' })], []],
    ['not inside of a content that is one text', [{ role: 'user', content: 'hi' }], []],
    ['nowhere in an empty conversation', [], []],
    ['once where a round adds 18 blocks', [userSays('hi'), ...round(9)], [[2, 8]]],
    [
      'twice where a round adds 20 blocks',
      [userSays('hi'), ...round(10)],
      [
        [0, 0],
        [2, 9],
      ],
    ],
    [
      'on what was the end when the model was last asked, also where it has paused since',
      [userSays('hi'), assistant(text('a')), assistant(...Array(20).fill(text('b'))), user(text('go'))],
      [
        [0, 0],
        [3, 0],
      ],
    ],
    [
      'with thinking counted among the blocks of a round',
      [userSays('hi'), assistant(...Array(18).fill(thinking), call('a')), user(result('a'))],
      [
        [0, 0],
        [2, 0],
      ],
    ],
  ])('stand %s', (_, messages, places) => {
    expect(markedPlaces(messages)).toEqual(places.map(([message, block]) => ({ message, block })));
    const body = bodyOf({ messages, system: '', tools: [] });
    for (const [message, block] of places)
      expect(body.messages[message].content[block].cache_control).toEqual(MARK);
    const { marks } = unmarked(messages);
    expect(unmarked(body).marks - marks).toBe(places.length);
    expect(unmarked(body).plain).toEqual(unmarked(bodyOf({ messages, system: '', tools: [] }, false)).plain);
  });

  it('move on with the conversation and leave nothing behind, whatever the bytes of a character', () => {
    const messages = [userSays('Grüße "東京" 😀')];
    for (let turn = 0; turn < 12; turn += 1) {
      const content = ['é😀'.repeat(turn), '}]}', '\\"', '{"a":[]}'][turn % 4] ?? '';
      messages.push(
        assistant(call(`t${turn}`)),
        user(result(`t${turn}`, content), text('und weiter?'), text(' ')),
      );
      const body = bodyOf({ messages });
      expect(unmarked(body).marks).toBe(2);
      expect(body.messages.at(-1).content[1].cache_control).toEqual(MARK);
      expect(unmarked(body.messages).plain).toEqual(messages);
    }
  });

  it('are never more than three, and none where they are not wanted', () => {
    const messages = [userSays('hi'), ...round(40), ...round(40), ...round(40)];
    expect(unmarked(bodyOf({ messages })).marks).toBe(3);
    expect(unmarked(bodyOf({ messages }, false)).marks).toBe(0);
  });
});
