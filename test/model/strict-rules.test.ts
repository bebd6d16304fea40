/** Other tests trust these rules: each refuses what it is there for, and nothing else. */
import { describe, expect, it } from 'vitest';
import type { Block, Fields } from '../helpers/strict-form.ts';
import { type History, violations } from '../helpers/strict-rules.ts';

const text = (value: string) => ({ type: 'text', text: value });
const MARK = { type: 'ephemeral' };
const marked = (value: string) => ({ ...text(value), cache_control: MARK });
const call = (id: string, more: object = {}) => ({
  type: 'tool_use',
  id,
  name: 'bash',
  input: { a: 1, b: 2 },
  ...more,
});
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const tool = { name: 'bash', description: 'Runs.', input_schema: { type: 'object' } };
const body = (messages: unknown[], more: object = {}): Fields => ({
  model: 'm',
  max_tokens: 1,
  messages,
  tools: [tool],
  ...more,
});
const nothing: History = { requests: [], sent: [] };
const hello = user(text('hello'));
const serverCall = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} };
const answered = [hello, assistant(call('a'), call('b')), user(result('a'), result('b'))];

describe('the strict rules', () => {
  it.each<[string, Fields]>([
    ['a question', body([hello])],
    ['a short form', body([{ role: 'user', content: 'hello' }])],
    ['a round of calls', body(answered)],
    ['a text behind the results', body([hello, assistant(call('a')), user(result('a'), text('and?'))])],
    ['white space beside a call', body([hello, assistant(text(' '), call('a')), user(result('a'))])],
    ['an empty reply in between', body([hello, assistant(), hello])],
    ['an empty result', body([hello, assistant(call('a')), user({ ...result('a'), content: '' })])],
    ['a paused turn as the last', body([hello, assistant(serverCall)])],
    ['no tools where nothing calls', body([hello], { tools: undefined })],
    ['tools switched off', body(answered, { tool_choice: { type: 'none' } })],
    ['four marks of the cache', body([user(...Array(4).fill(marked('x')))])],
    ['a system prompt in a block', body([hello], { system: [marked('be good')] })],
    ['effort', body([hello], { output_config: { effort: 'max' }, stream: true })],
  ])('let pass: %s', (_, request) => {
    expect(violations(request, nothing)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a body that is no object', [], 'not an object'],
    ['no messages', body([]), 'messages: Field required'],
    ['a first message of the assistant', body([assistant(text('hi')), hello]), 'first message'],
    ['another role', body([hello, { role: 'system', content: 'x' }, hello]), 'Unexpected role'],
    ['a user message without content', body([user()]), 'non-empty content'],
    ['an empty text', body([hello, assistant(text(''), call('a')), user(result('a'))]), 'must be non-empty'],
    ['a blank text of the user', body([user(text('hello'), text(' '))]), 'non-whitespace'],
    ['a reply of white space', body([hello, assistant(text(' ')), hello]), 'non-whitespace'],
    [
      'an empty text in a result',
      body([hello, assistant(call('a')), user({ ...result('a'), content: [text('')] })]),
      'must be non-empty',
    ],
    ['a block without a type', body([user({ text: 'x' })]), 'not a block'],
    ['a call of the user', body([user(call('a'))]), 'tool_use in a user message'],
    [
      'a result of the assistant',
      body([hello, assistant(result('a')), hello]),
      'tool_result in an assistant message',
    ],
    [
      'a call without a result',
      body([hello, assistant(call('a'), call('b')), user(result('a'))]),
      'immediately after: b.',
    ],
    [
      'a result in a later message',
      body([hello, assistant(call('a'), call('b')), user(result('a')), user(result('b'))]),
      'immediately after: b.',
    ],
    [
      'a result that nobody asked for',
      body([hello, assistant(call('a')), user(result('a'), result('x'))]),
      'unexpected `tool_use_id`',
    ],
    [
      'two results of one call',
      body([hello, assistant(call('a')), user(result('a'), result('a'))]),
      'a single result',
    ],
    [
      'results in another order',
      body([hello, assistant(call('a'), call('b')), user(result('b'), result('a'))]),
      'in the order',
    ],
    [
      'a text before the results',
      body([hello, assistant(call('a')), user(text('x'), result('a'))]),
      'before everything else',
    ],
    [
      'an id that is used twice',
      body([...answered, assistant(call('a')), user(result('a'))]),
      'must be unique: a',
    ],
    ['an id that is none', body([hello, assistant(call('a b')), user(result('a b'))]), 'malformed'],
    ['a reply as the last message', body([hello, assistant(text('hi'))]), 'prefill'],
    ['a user message after a paused turn', body([hello, assistant(serverCall), hello]), 'srv_1'],
    ['calls without tools', body(answered, { tools: [] }), 'must define tools'],
    [
      'a choice without tools',
      body([hello], { tools: [], tool_choice: { type: 'none' } }),
      'while providing tools',
    ],
    ['a forced tool', body([hello], { tool_choice: { type: 'any' } }), 'not supported for this model'],
    ['an unknown choice', body([hello], { tool_choice: {} }), 'unknown type'],
    ['a tool that is no object', body([hello], { tools: ['bash'] }), 'not an object'],
    ['a tool name with a dot', body([hello], { tools: [{ ...tool, name: 'a.b' }] }), 'should match pattern'],
    ['a tool name that is used twice', body([hello], { tools: [tool, tool] }), 'must be unique.'],
    [
      'a description that is no text',
      body([hello], { tools: [{ ...tool, description: 1 }] }),
      'valid string',
    ],
    [
      'a schema of another type',
      body([hello], { tools: [{ ...tool, input_schema: {} }] }),
      "should be 'object'",
    ],
    [
      'a schema of alternatives',
      body([hello], { tools: [{ ...tool, input_schema: { type: 'object', anyOf: [] } }] }),
      'top level',
    ],
    ['half a surrogate pair', body([user(text('\ud83d'))]), 'surrogate'],
    ['a temperature', body([hello], { temperature: 0 }), 'temperature'],
    ['an unknown field', body([hello], { retries: 1 }), 'retries: Extra inputs'],
    ['no model', body([hello], { model: undefined }), 'model'],
    ['no room for an answer', body([hello], { max_tokens: 0 }), 'max_tokens'],
    ['a blank system prompt', body([hello], { system: ' ' }), 'system'],
    ['a blank block of it', body([hello], { system: [text(' ')] }), 'non-whitespace'],
    ['an empty block of it', body([hello], { system: [text('')] }), 'must be non-empty'],
    [
      'a mark of the cache on thinking',
      body([hello, assistant({ type: 'thinking', thinking: '', cache_control: MARK }), hello]),
      'thinking.cache_control: Extra inputs',
    ],
    ['a mark of the cache on an empty text', body([user(marked(''))]), 'cache_control cannot be set'],
    [
      'five marks of the cache',
      body([user(...Array(3).fill(marked('x')))], {
        system: [marked('x')],
        tools: [{ ...tool, cache_control: MARK }],
      }),
      'Found 5.',
    ],
    ['an unknown effort', body([hello], { output_config: { effort: 'some' } }), 'effort'],
  ])('refuse %s', (_, request, words) => {
    expect(violations(request, nothing).join('\n')).toContain(words);
  });

  const sent = [
    { content: [text(''), call('a', { caller: { type: 'direct' } })] as Block[], stop_reason: 'tool_use' },
  ];
  const before: History = { requests: [body([hello])], sent };
  it.each<[string, Fields]>([
    ['the same again', body([hello])],
    [
      'the reply and its result',
      body([hello, assistant(call('a', { caller: { type: 'direct' } })), user(result('a'))]),
    ],
    [
      'keys in another order',
      body([
        hello,
        assistant({
          caller: { type: 'direct' },
          input: { b: 2, a: 1 },
          name: 'bash',
          id: 'a',
          type: 'tool_use',
        }),
        user(result('a')),
      ]),
    ],
    ['a cache marker', body([user({ ...text('hello'), cache_control: { type: 'ephemeral' } })])],
    ['a user message in two', body([hello, user(text('and more'))])],
  ])('let a request follow another: %s', (_, request) => {
    expect(violations(request, before)).toEqual([]);
  });

  it.each<[string, Fields, string]>([
    ['another beginning', body([user(text('hullo'))]), 'messages.0.content.0: differs'],
    ['a shorter one', body([user()]), 'differs'],
    ['another system prompt', body([hello], { system: 'x' }), 'system and tools'],
    ['other tools', body([hello], { tools: [tool, { ...tool, name: 'b' }] }), 'system and tools'],
    [
      'a reply that has lost a field',
      body([hello, assistant(call('a')), user(result('a'))]),
      'not what was sent',
    ],
    [
      'a reply that was never given',
      body([hello, assistant(text('x')), user(text('y'))]),
      'not what was sent',
    ],
  ])('refuse a request that follows another with %s', (_, request, words) => {
    expect(violations(request, before).join('\n')).toContain(words);
  });
});
