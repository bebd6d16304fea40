import { describe, expect, it } from 'vitest';
import type { AssistantMessage, ContentBlock, ReplyKind } from '../../machines/protocol.ts';
import {
  addUsage,
  digestReply,
  entersHistory,
  NO_USAGE,
  totalTokens,
  usageOf,
} from '../../machines/reply.ts';
import { planCalls } from '../../machines/turn.ts';
import { call, message, text, toolUse } from './given.ts';

const NONE: ReadonlySet<string> = new Set();
const serverCall = (id: string): ContentBlock => ({ type: 'server_tool_use', id, name: 'web_search' });
const serverResult = (id: string): ContentBlock => ({ type: 'web_search_tool_result', tool_use_id: id });

describe('what a reply amounts to', () => {
  const kinds: [ReplyKind, string, AssistantMessage][] = [
    ['answer', 'end_turn with text', message('end_turn', [text('done')])],
    ['answer', 'stop_sequence with text', message('stop_sequence', [text('done')])],
    ['answer', 'text in one of several blocks', message('end_turn', [text(' '), text('done')])],
    ['answer', 'text beside a block of an unknown type', message('end_turn', [{ type: 'chart' }, text('x')])],
    ['calls', 'tool_use with calls', message('tool_use', [text('let me see'), toolUse('a'), toolUse('b')])],
    [
      'calls',
      'a call beside an open call of the service',
      message('tool_use', [serverCall('s'), toolUse('a')]),
    ],
    ['paused', 'pause_turn', message('pause_turn', [text('searching'), serverCall('s')])],
    ['paused', 'tool_use with an open call of the service', message('tool_use', [serverCall('s')])],
    ['truncated', 'max_tokens', message('max_tokens', [text('and then')])],
    ['truncated', 'max_tokens with a call', message('max_tokens', [toolUse('a')])],
    ['truncated', 'max_tokens with a call without a name', message('max_tokens', [toolUse('a', '')])],
    ['refused', 'refusal', message('refusal', [])],
    ['refused', 'refusal with a call', message('refusal', [toolUse('a')])],
    ['exhausted', 'a full context window', message('model_context_window_exceeded', [text('and')])],
    ['empty', 'end_turn with nothing', message('end_turn', [])],
    ['empty', 'end_turn with white space', message('end_turn', [text(' \n\t')])],
    ['empty', 'end_turn with thinking only', message('end_turn', [{ type: 'thinking', thinking: 'hm' }])],
    ['empty', 'end_turn with a text block without text', message('end_turn', [{ type: 'text' }])],
    ['empty', 'pause_turn with nothing', message('pause_turn', [])],
    ['empty', 'pause_turn with white space', message('pause_turn', [text(' ')])],
    ['unknown', 'a new stop reason', message('compaction', [text('done')])],
    ['unknown', 'a new stop reason with a call', message('something_new', [toolUse('a')])],
  ];

  it.each(kinds.map(([kind, what, reply]) => [what, kind, reply] as const))('%s: %s', (_, kind, reply) => {
    expect(digestReply(reply, NONE).kind).toBe(kind);
  });

  const contradictions: [string, AssistantMessage, string[]][] = [
    ['a call without a name', message('tool_use', [toolUse('a', '')]), ['call 1 has no name']],
    ['a name that is no text', message('tool_use', [toolUse('a', 7)]), ['call 1 has no name']],
    ['a call without an id', message('tool_use', [toolUse('a'), toolUse('')]), ['call 2 has no id']],
    ['an id that is no text', message('tool_use', [toolUse(undefined)]), ['call 1 has no id']],
    [
      'an id twice in the reply',
      message('tool_use', [toolUse('a'), toolUse('a')]),
      ['the id a is used by two calls of the reply'],
    ],
    [
      'an id of an earlier call',
      message('tool_use', [toolUse('old')]),
      ['the id old was used by an earlier call of the run'],
    ],
    [
      'tool_use without a call',
      message('tool_use', [text('calling')]),
      ['the stop reason is tool_use, but the reply has no call'],
    ],
    [
      'tool_use with nothing at all',
      message('tool_use', []),
      ['the stop reason is tool_use, but the reply has no call'],
    ],
    [
      'tool_use with a call of the service that has its result',
      message('tool_use', [serverCall('s'), serverResult('s')]),
      ['the stop reason is tool_use, but the reply has no call'],
    ],
    [
      'an id with a line end',
      message('tool_use', [toolUse('a\nb')]),
      ['the id of call 1 is one that no service takes back'],
    ],
    [
      'an endless id',
      message('tool_use', [toolUse('a'.repeat(257))]),
      ['the id of call 1 is one that no service takes back'],
    ],
    [
      'more calls than anybody means',
      message(
        'tool_use',
        Array.from({ length: 1_001 }, (_, n) => toolUse(`c${n}`)),
      ),
      ['the reply has 1001 calls, and nobody means more than 1000'],
    ],
    [
      'a call with end_turn',
      message('end_turn', [text('done'), toolUse('a')]),
      ['the reply has calls, but the stop reason is end_turn'],
    ],
    [
      'a call with stop_sequence',
      message('stop_sequence', [toolUse('a')]),
      ['the reply has calls, but the stop reason is stop_sequence'],
    ],
    [
      'a call with pause_turn',
      message('pause_turn', [toolUse('a')]),
      ['the reply has calls, but the stop reason is pause_turn'],
    ],
    ['no stop reason', message(null, [text('done')]), ['the reply has no stop reason']],
    [
      'several at once',
      message('end_turn', [toolUse('', '')]),
      ['call 1 has no name', 'call 1 has no id', 'the reply has calls, but the stop reason is end_turn'],
    ],
  ];

  it.each(contradictions)('%s is a contradiction: nothing of the reply is planned', (_, reply, problems) => {
    const digest = digestReply(reply, new Set(['old']));
    expect(digest.kind).toBe('contradiction');
    expect(digest.problems).toEqual(problems);
    expect(planCalls(digest)).toEqual([]);
  });

  it('carries the stop reason, the calls, the tokens and the price', () => {
    const reply = message('tool_use', [toolUse('a', 'edit'), text('and'), toolUse('b', 'bash')], 7);
    expect(digestReply(reply, NONE, 0.5)).toEqual({
      kind: 'calls',
      stopReason: 'tool_use',
      calls: [
        { id: 'a', name: 'edit' },
        { id: 'b', name: 'bash' },
      ],
      problems: [],
      usage: { ...NO_USAGE, output: 7 },
      costUsd: 0.5,
    });
  });

  it.each([
    ['answer', true],
    ['calls', true],
    ['paused', true],
    ['truncated', false],
    ['refused', false],
    ['exhausted', false],
    ['empty', false],
    ['contradiction', false],
    ['unknown', false],
  ] as const)('later requests carry a reply of kind %s: %s', (kind, expected) => {
    expect(entersHistory(kind)).toBe(expected);
  });

  it('only a reply of kind calls has calls to plan', () => {
    const cut = digestReply(message('max_tokens', [toolUse('a')]), NONE);
    const whole = digestReply(message('tool_use', [toolUse('a')]), NONE);
    expect(planCalls(cut)).toEqual([]);
    expect(planCalls(whole)).toEqual([call('a', 'planned')]);
  });
});

describe('usage', () => {
  it('has four numbers, and the budget counts all of them', () => {
    const usage = usageOf({
      ...message('end_turn', []),
      usage: {
        input_tokens: 5,
        output_tokens: 100,
        cache_read_input_tokens: 40_000,
        cache_creation_input_tokens: 3_000,
      },
    });
    expect(usage).toEqual({ input: 5, output: 100, cacheRead: 40_000, cacheWrite: 3_000 });
    expect(totalTokens(usage)).toBe(43_105);
    expect(addUsage(usage, usage)).toEqual({ input: 10, output: 200, cacheRead: 80_000, cacheWrite: 6_000 });
  });

  it('counts from the first token on', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 7, output_tokens: 2 },
      { type: 'message', input_tokens: 5, output_tokens: 1 },
      { input_tokens: 9 },
      'compaction',
      null,
    ];
    const summarised = {
      ...message('end_turn', []),
      usage: { input_tokens: 5, output_tokens: 1, iterations },
    };
    expect(usageOf(summarised)).toEqual({ ...NO_USAGE, input: 12, output: 3 });
    expect(usageOf(message('end_turn', [], 1))).toEqual({ ...NO_USAGE, output: 1 });
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', {}],
    ['null inside', { input_tokens: null, cache_read_input_tokens: null }],
    ['negative', { input_tokens: -5 }],
    ['text', { input_tokens: '12' }],
    ['no number', { output_tokens: Number.NaN }],
  ])('that is %s counts as 0', (_, usage) => {
    const { usage: __, ...rest } = message('end_turn', []);
    expect(usageOf(usage === undefined ? rest : { ...rest, usage })).toEqual(NO_USAGE);
  });

  it.each([1e308, Number.POSITIVE_INFINITY])(
    'of %d, which nobody can have used, stays a number that a budget sees',
    (value) => {
      const { output } = usageOf({ ...message('end_turn', []), usage: { output_tokens: value } });
      expect(output).toBe(Number.MAX_SAFE_INTEGER);
      const all = { ...NO_USAGE, output };
      expect(addUsage(all, all)).toEqual(all);
      expect(usageOf({ ...message('end_turn', []), usage: { output_tokens: 1.2 } }).output).toBe(2);
    },
  );
});
