import { describe, expect, it } from 'vitest';
import type { Message } from '../../machines/protocol.ts';
import { historyProblems } from '../../src/model/check-history.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import { text, toolUse } from '../helpers/records.ts';

const request = (messages: readonly Message[], changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'a-model',
  system: 'Be kind.',
  messages,
  tools: [],
  toolsOff: false,
  maxOutputTokens: 100,
  effort: null,
  ...changes,
});
const user = (...content: Message['content'] & object): Message => ({ role: 'user', content });
const assistant = (...content: Message['content'] & object): Message => ({ role: 'assistant', content });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

const TASK = user(text('the task'));
const CALLS = assistant(text('I look.'), toolUse('a'), toolUse('b'));
const PAUSED = assistant({ type: 'server_tool_use', id: 's', name: 'web_search' });
const RESULTS = user(result('a'), result('b'));

describe('a history', () => {
  it.each([
    ['that begins', [TASK]],
    [
      'with results in call order, and a word behind them',
      [TASK, CALLS, user(result('a'), result('b'), text('go on'))],
    ],
    ['that goes on after an answer', [TASK, assistant(text('one')), user(text('more'))]],
    ['that ends in a paused reply', [TASK, PAUSED]],
    ['in which a paused reply was continued', [TASK, PAUSED, CALLS, RESULTS]],
    ['whose text stands alone', [{ role: 'user', content: 'the task' } as const]],
  ])('%s is in order', (_, messages) => {
    expect(historyProblems(request(messages))).toEqual([]);
  });

  it.each([
    ['a call without a result', [TASK, CALLS, user(result('a'))], 'the results [a] for the calls [a, b]'],
    ['a reply behind open calls', [TASK, CALLS, assistant(text('so'))], 'the call a has no result'],
    ['calls at the end', [TASK, CALLS], 'the call a has no result'],
    ['results in another order', [TASK, CALLS, user(result('b'), result('a'))], 'the results [b, a]'],
    [
      'a result too much',
      [TASK, CALLS, user(result('a'), result('b'), result('b'))],
      'the results [a, b, b]',
    ],
    [
      'a result of no call',
      [TASK, assistant(text('one')), user(result('x'))],
      'the results [x] for the calls []',
    ],
    [
      'a text before the results',
      [TASK, CALLS, user(text('so'), result('a'), result('b'))],
      'before its results',
    ],
    ['two messages of one side', [TASK, user(text('more'))], "message 1 is not the user's turn"],
    [
      'a beginning that is not the user’s',
      [assistant(text('hello'))],
      "message 0 is not the assistant's turn",
    ],
    ['an empty message', [TASK, assistant(), user(text('more'))], 'message 1 is empty'],
    ['an empty text', [TASK, assistant(text('')), user(text('more'))], 'message 1 has an empty text'],
    ['an id that was used before', [TASK, CALLS, RESULTS, CALLS, RESULTS], 'the id a stands for two calls'],
  ])('with %s is refused', (_, messages, problem) => {
    expect(historyProblems(request(messages)).join('; ')).toContain(problem);
  });
});

describe('a request after another one', () => {
  const before = request([TASK, CALLS, RESULTS]);

  it('may be the same, or have more at its end, in the last message too', () => {
    expect(historyProblems(before, before)).toEqual([]);
    const longer = [TASK, CALLS, user(result('a'), result('b'), text('go on')), assistant(text('one')), TASK];
    expect(historyProblems(request(longer), before)).toEqual([]);
    expect(historyProblems(request(before.messages, { toolsOff: true, maxOutputTokens: 5 }), before)).toEqual(
      [],
    );
  });

  it.each([
    [
      'says something else',
      request([TASK, CALLS, user({ ...result('a'), content: 'no' }, result('b'))]),
      'block 4',
    ],
    ['is shorter', request([TASK]), 'block 1'],
    ['has another system prompt', request(before.messages, { system: 'Be strict.' }), 'the system prompt'],
    [
      'has other tools',
      request(before.messages, { tools: [{ name: 'x', description: '', inputSchema: {} }] }),
      'tools',
    ],
  ])('that %s is refused', (_, later, problem) => {
    expect(historyProblems(later, before).join()).toContain(problem);
  });
});
