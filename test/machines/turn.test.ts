import { describe, expect, it } from 'vitest';
import type { AssistantMessage, ContentBlock, ReplyKind } from '../../machines/protocol.ts';
import { CLOSING_STATUSES } from '../../machines/status.ts';
import {
  addUsage,
  advance,
  applyVerdicts,
  type Call,
  closeCalls,
  digestReply,
  entersHistory,
  isSettled,
  NO_USAGE,
  planCalls,
  roundOf,
  summaryNotice,
  totalTokens,
  usageOf,
} from '../../machines/turn.ts';
import { call, message, text, toolUse, verdict } from './given.ts';

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
      expect(usageOf({ ...message('end_turn', []), usage: { output_tokens: 1.2 } }).output).toBe(2);
    },
  );
});

describe('verdicts', () => {
  const planned = [call('a', 'planned'), call('b', 'planned'), call('c', 'planned')];

  it('are bound to their calls by id, whatever their order', () => {
    const verdicts = [verdict('c', 'refuse'), verdict('a', 'ask'), verdict('b', 'approve')];
    expect(applyVerdicts(planned, verdicts)).toEqual([
      call('a', 'waiting'),
      call('b', 'approved'),
      call('c', 'refused'),
    ]);
  });

  it('must be there for every call: one without would be neither run nor answered', () => {
    expect(() => applyVerdicts(planned, [verdict('a', 'approve'), verdict('c', 'ask')])).toThrow(
      'the review has no verdict on the call b',
    );
  });

  it('about unknown calls change nothing', () => {
    expect(applyVerdicts([call('a', 'planned')], [verdict('a', 'ask'), verdict('x', 'approve')])).toEqual([
      call('a', 'waiting'),
    ]);
  });
});

describe('progress of a call', () => {
  const calls = [call('a', 'waiting'), call('b', 'approved'), call('c', 'refused'), call('d', 'planned')];

  it('moves the one call that is meant, if it stands where the step begins', () => {
    expect(advance(calls, 'a', ['waiting'], 'approved')).toEqual([call('a', 'approved'), ...calls.slice(1)]);
    expect(advance(calls, 'a', ['waiting'], 'refused')).toEqual([call('a', 'refused'), ...calls.slice(1)]);
  });

  it.each(['b', 'c', 'd', 'x'])('does not move call %s, which does not wait', (id) => {
    expect(advance(calls, id, ['waiting'], 'approved')).toEqual(calls);
  });

  it('takes over the fingerprint of the outcome, and keeps the one of the question until then', () => {
    const [, started] = advance(calls, 'b', ['approved'], 'started');
    expect(started).toEqual(call('b', 'started'));
    const [finished] = advance([started as Call], 'b', ['started'], 'finished', 'b done');
    expect(finished).toEqual({ ...call('b', 'finished'), fingerprint: 'b done' });
  });

  it.each([
    ['planned', false],
    ['waiting', false],
    ['approved', false],
    ['started', false],
    ['refused', true],
    ['finished', true],
  ] as const)('%s is settled: %s', (progress, expected) => {
    expect(isSettled(call('a', progress))).toBe(expected);
  });

  it('makes a round, by which repetition is seen: what was asked for, and where it ran, what came of it', () => {
    expect(roundOf([call('a', 'finished'), call('c', 'refused')])).toBe('a asked c asked');
  });

  it.each(['planned', 'waiting', 'approved', 'started'] as const)(
    'makes no round of a call that is %s',
    (progress) => {
      expect(() => roundOf([call('a', 'finished'), call('b', progress)])).toThrow('b has no outcome');
    },
  );
});

describe('closing', () => {
  it('answers the calls that have no answer, in call order, and says why they did not run', () => {
    const calls = [call('a', 'finished'), call('b', 'approved'), call('c', 'refused'), call('d', 'waiting')];
    expect(closeCalls(calls, { status: 'token_budget' })).toEqual([
      { callId: 'b', content: 'Not executed: the token budget of this run is used up.' },
      { callId: 'd', content: 'Not executed: the token budget of this run is used up.' },
    ]);
  });

  it('does not claim of a started call that it was not executed', () => {
    expect(closeCalls([call('a', 'started')], { status: 'cancelled', signal: 'SIGINT' })).toEqual([
      {
        callId: 'a',
        content:
          'Started, outcome unknown: the person cancelled the run. Check the state of things before repeating it.',
      },
    ]);
  });

  it.each(CLOSING_STATUSES)('gives a reason of its own for %s', (status) => {
    const reasons = CLOSING_STATUSES.map(
      (one) => closeCalls([call('a', 'planned')], { status: one })[0]?.content,
    );
    const [closed] = closeCalls([call('a', 'planned')], { status });
    expect(reasons.filter((reason) => reason === closed?.content)).toHaveLength(1);
  });

  it('opens the summary turn with the reason, as a sentence', () => {
    expect(summaryNotice({ status: 'max_turns' })).toMatch(
      /^The turn limit of this run is reached\. Tools are switched off from here on\. Answer now/,
    );
  });
});
