import { describe, expect, it } from 'vitest';
import type { Stop } from '../../machines/status.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { Transcript } from '../../src/journal/transcript.ts';
import {
  finished,
  header,
  message,
  recorded,
  refused,
  reply,
  result,
  summary,
  text,
  toolUse,
} from '../helpers/records.ts';

const told = (...records: readonly RecordBody[]): Transcript => {
  const transcript = new Transcript();
  for (const record of [header(), ...records]) transcript.apply(record);
  return transcript;
};

const TASK = { role: 'user', content: [text('the task')] };
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const user = (...content: readonly unknown[]) => ({ role: 'user', content });

const CALLS = message('tool_use', toolUse('a'), toolUse('b'), toolUse('c'));
const ANSWER = message('end_turn', text('done'));
const MAX_TURNS: Stop = { status: 'max_turns' };
const closing = (
  turn: number,
  results: Readonly<Record<string, string>>,
  notice: string | null,
  stop = MAX_TURNS,
): RecordBody => ({
  type: 'run.closing',
  turn,
  stop,
  results: Object.entries(results).map(([callId, content]) => ({ callId, content })),
  notice,
});

describe('the message list', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
  const rows: readonly [title: string, records: readonly RecordBody[], messages: readonly unknown[]][] = [
    ['begins with the task', [], [TASK]],
    ['carries an answer', [reply(1, ANSWER)], [TASK, assistant(text('done'))]],
    [
      'has the results of all calls in one user message, in call order, whatever order they came in',
      [
        reply(1, CALLS),
        finished(1, 'c', 'third'),
        finished(1, 'a', 'first'),
        finished(1, 'b', 'second', true),
        recorded(1, 'a', 'b', 'c'),
      ],
      [
        TASK,
        assistant(...CALLS.content),
        user(result('a', 'first'), result('b', 'second', true), result('c', 'third')),
      ],
    ],
    [
      'has no result before all are recorded',
      [reply(1, CALLS), finished(1, 'a', 'first')],
      [TASK, assistant(...CALLS.content)],
    ],
    [
      'answers refused and denied calls with an error',
      [
        reply(1, CALLS),
        refused(1, 'a', 'no such tool'),
        { type: 'approval.denied', turn: 1, callId: 'b', content: 'not today' },
        finished(1, 'c', [image]),
        recorded(1, 'a', 'b', 'c'),
      ],
      [
        TASK,
        assistant(...CALLS.content),
        user(result('a', 'no such tool', true), result('b', 'not today', true), result('c', [image])),
      ],
    ],
    [
      'keeps every block and field of a reply as it came, an empty text apart',
      [
        reply(
          1,
          message(
            'tool_use',
            { type: 'thinking', thinking: '', signature: 'EqQB' },
            { type: 'new_kind', of: { block: [1, null] } },
            { ...toolUse('a'), caller: { type: 'direct' } },
          ),
        ),
      ],
      [
        TASK,
        assistant(
          { type: 'thinking', thinking: '', signature: 'EqQB' },
          { type: 'new_kind', of: { block: [1, null] } },
          { ...toolUse('a'), caller: { type: 'direct' } },
        ),
      ],
    ],
    [
      'leaves out empty texts, which the service sends and refuses, and keeps white space between blocks',
      [reply(1, message('tool_use', text(''), text(' \n'), toolUse('a'), text('')))],
      [TASK, assistant(text(' \n'), toolUse('a'))],
    ],
    [
      'has no message for a reply of blank texts',
      [reply(1, message('pause_turn', text(''), text(' ')))],
      [TASK],
    ],
    [
      'goes on from a paused reply without a user message between',
      [
        reply(1, message('pause_turn', text('searching'), { type: 'server_tool_use', id: 's' })),
        reply(1, ANSWER, 2),
      ],
      [TASK, assistant(text('searching'), { type: 'server_tool_use', id: 's' }), assistant(text('done'))],
    ],
    [
      'puts the closing results first, then the notice, into one user message',
      [reply(1, CALLS), finished(1, 'b', 'ran'), closing(1, { a: 'not run', c: 'not run' }, 'Conclude.')],
      [
        TASK,
        assistant(...CALLS.content),
        user(
          result('a', 'not run', true),
          result('b', 'ran'),
          result('c', 'not run', true),
          text('Conclude.'),
        ),
      ],
    ],
    [
      'joins the notice to the results before it, as user messages that follow each other are one',
      [
        reply(1, message('tool_use', toolUse('a'))),
        finished(1, 'a', 'ran'),
        recorded(1, 'a'),
        closing(2, {}, 'Conclude.'),
      ],
      [TASK, assistant(toolUse('a')), user(result('a', 'ran'), text('Conclude.'))],
    ],
    [
      'joins the notice to the task',
      [closing(1, {}, 'Conclude.')],
      [user(text('the task'), text('Conclude.'))],
    ],
    ['says nothing for a closing without calls and notice', [closing(1, {}, null)], [TASK]],
    [
      'lets a closing overrule what a call was answered before',
      [
        reply(1, message('tool_use', toolUse('a'))),
        refused(1, 'a', 'wrong'),
        closing(1, { a: 'not run' }, null),
      ],
      [TASK, assistant(toolUse('a')), user(result('a', 'not run', true))],
    ],
    [
      'answers a call in the summary',
      [
        closing(1, {}, 'Conclude.'),
        summary(2, message('tool_use', toolUse('late'))),
        closing(2, { late: 'not run' }, null),
      ],
      [
        user(text('the task'), text('Conclude.')),
        assistant(toolUse('late')),
        user(result('late', 'not run', true)),
      ],
    ],
    [
      'has nothing of attempts, intents, grants and the end',
      [
        {
          type: 'attempt.failed',
          turn: 1,
          attempt: 1,
          failure: { kind: 'http', message: 'busy', retryable: true, delayMs: 1 },
        },
        reply(1, message('tool_use', toolUse('a')), 2),
        { type: 'approval.granted', turn: 1, callId: 'a' },
        { type: 'tool.started', turn: 1, callId: 'a' },
        {
          type: 'run.ended',
          status: 'cancelled',
          turns: 1,
          usage: { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 },
          costUsd: 0,
        },
      ],
      [TASK, assistant(toolUse('a'))],
    ],
    [
      'ignores the outcome of a call that is not open',
      [reply(1, ANSWER), finished(1, 'z', 'from nowhere')],
      [TASK, assistant(text('done'))],
    ],
  ];
  it.each(rows)('%s', (_, records, messages) => {
    expect(told(...records).messages).toEqual(messages);
  });

  it.each([
    ['was cut', message('max_tokens', text('half'), toolUse('a'))],
    ['was cut by the context', message('model_context_window_exceeded', text('half'))],
    ['was refused', message('refusal', text('no'))],
    ['is empty', message('end_turn')],
    ['is blank', message('end_turn', text(' \n'))],
    ['contradicts itself', message('end_turn', text('I call'), toolUse('a'))],
    ['has no stop reason', message(null, text('words'))],
    ['stopped for an unknown reason', message('tired', text('words'))],
  ])('leaves out a reply that %s, and so its ids stay free', (_, left) => {
    const transcript = told(reply(1, left));
    expect(transcript.messages).toEqual([TASK]);
    expect(transcript.usedIds.size).toBe(0);
    expect(transcript.openCall('a')).toBeUndefined();
    expect(transcript.replies).toHaveLength(1);
  });

  it.each(['', ' \n', []])('never sends an error without a word: %j', (content) => {
    const transcript = told(
      reply(1, message('tool_use', toolUse('a'))),
      finished(1, 'a', content, true),
      recorded(1, 'a'),
    );
    expect(transcript.messages.at(-1)).toEqual(user(result('a', 'The call failed without a word.', true)));
  });

  it.each(['', []])('sends an empty success as it is: %j', (content) => {
    const transcript = told(
      reply(1, message('tool_use', toolUse('a'))),
      finished(1, 'a', content),
      recorded(1, 'a'),
    );
    expect(transcript.messages.at(-1)).toEqual(user(result('a', content)));
  });

  it('does not invent the result of a call that the records leave open', () => {
    expect(() => told(reply(1, CALLS), finished(1, 'a', 'x'), recorded(1, 'a', 'b', 'c'))).toThrow(
      'the call b has no result in the records',
    );
  });
});

describe('what the transcript knows besides', () => {
  it('the calls that are open: those of the last reply until their results are recorded', () => {
    const open = told(reply(1, message('tool_use', toolUse('a', 'look', { at: 1 }))));
    expect(open.openCall('a')).toEqual(toolUse('a', 'look', { at: 1 }));
    expect(open.openCall('b')).toBeUndefined();
    open.apply(finished(1, 'a', 'seen'));
    expect(open.openCall('a')).toBeDefined();
    open.apply(recorded(1, 'a'));
    expect(open.openCall('a')).toBeUndefined();
  });

  it('the ids of all calls so far', () => {
    const { usedIds } = told(reply(1, CALLS), closing(1, { a: '-', b: '-', c: '-' }, null));
    expect([...usedIds]).toEqual(['a', 'b', 'c']);
  });

  it('the calls that ended, in the order in which they did, failed ones too', () => {
    const { finishedCalls } = told(
      reply(1, message('tool_use', toolUse('a', 'look', 1), toolUse('b', 'write', 2))),
      finished(1, 'b', 'x', true),
      finished(1, 'a', 'y'),
    );
    expect(finishedCalls).toEqual([
      { name: 'write', input: 2, isError: true },
      { name: 'look', input: 1, isError: false },
    ]);
  });

  it('what was denied by rule or by a person, and not what was merely wrong', () => {
    const { denials } = told(
      reply(1, message('tool_use', toolUse('a', 'rm'), toolUse('b', 'mail'), toolUse('c', 'typo'))),
      refused(1, 'c', 'no such tool'),
      refused(1, 'a', 'never', true),
      { type: 'approval.denied', turn: 1, callId: 'b', content: 'not today' },
    );
    expect(denials).toEqual([
      { callId: 'a', tool: 'rm', reason: 'never' },
      { callId: 'b', tool: 'mail', reason: 'not today' },
    ]);
  });

  it('every reply, the ones left out of the list and the summary among them', () => {
    const { replies } = told(
      reply(1, message('max_tokens', text('ha'))),
      reply(1, message('tool_use', text('I '), toolUse('a'), text('look')), 2),
      closing(1, { a: 'not run' }, 'Conclude.'),
      summary(2, message('stop_sequence', text('that is all'))),
    );
    const usage = { input: 3, cacheWrite: 0, cacheRead: 0, output: 2 };
    expect(replies).toMatchObject([
      {
        turn: 1,
        attempt: 1,
        isSummary: false,
        kind: 'truncated',
        stopReason: 'max_tokens',
        text: 'ha',
        usage,
      },
      { turn: 1, attempt: 2, isSummary: false, kind: 'calls', stopReason: 'tool_use', text: 'I look' },
      { turn: 2, attempt: 1, isSummary: true, kind: 'answer', stopReason: 'stop_sequence' },
    ]);
  });
});
