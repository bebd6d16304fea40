import { describe, expect, it } from 'vitest';
import type { Limits } from '../../machines/limits.ts';
import { STOP_STATUSES, type StopStatus } from '../../machines/status.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import type { RunOutcome } from '../../src/outcome.ts';
import { runOf } from './runs.ts';

const usage = {
  input_tokens: 5,
  cache_creation_input_tokens: 3_000,
  cache_read_input_tokens: 40_000,
  output_tokens: 100,
};
const ROUND: ScriptReply = { text: 'I look.', calls: [{ name: 'look', input: { word: 'a' } }] };
const DONE: ScriptReply = { text: 'done' };
const pause: ScriptReply = { content: [{ type: 'text', text: 'searching' }], stop_reason: 'pause_turn' };
const cut: ScriptReply = { ...ROUND, text: 'half', stop_reason: 'max_tokens' };
const counted = { turns: 0, attempts: 0, pauses: 0, truncations: 0, summaries: 0, toolCalls: 0 };

interface Row {
  readonly what: string;
  readonly status: StopStatus;
  readonly replies: readonly ScriptReply[];
  readonly limits?: Partial<Limits>;
  readonly result: string | null;
  readonly stopReason: string | null;
  readonly counters: Partial<RunOutcome['counters']>;
  /** One for each error. */
  readonly errors?: readonly RegExp[];
}

const ROWS: readonly Row[] = [
  {
    what: 'an answer after a round of calls',
    status: 'answered',
    replies: [ROUND, DONE],
    result: 'done',
    stopReason: 'end_turn',
    counters: { turns: 2, attempts: 2, toolCalls: 1 },
  },
  {
    what: 'a turn limit with its summary',
    status: 'max_turns',
    replies: [ROUND, ROUND, DONE],
    limits: { maxTurns: 2 },
    result: 'done',
    stopReason: 'end_turn',
    counters: { turns: 2, attempts: 3, summaries: 1, toolCalls: 2 },
  },
  {
    what: 'a turn limit whose summary is a call',
    status: 'max_turns',
    replies: [ROUND, ROUND],
    limits: { maxTurns: 1 },
    result: null,
    stopReason: 'tool_use',
    counters: { turns: 1, attempts: 2, summaries: 1, toolCalls: 1 },
    errors: [/No summary was given: .* called a tool, which was not run\./],
  },
  {
    what: 'a turn limit whose summary fails',
    status: 'max_turns',
    replies: [ROUND, { fault: { status: 401, message: 'no such key' } }],
    limits: { maxTurns: 1 },
    result: null,
    stopReason: 'tool_use',
    counters: { turns: 1, attempts: 2, toolCalls: 1 },
    errors: [/No summary was given: .*no such key/],
  },
  {
    what: 'a turn limit whose summary is cut',
    status: 'max_turns',
    replies: [ROUND, { text: 'so f', stop_reason: 'max_tokens' }],
    limits: { maxTurns: 1 },
    result: null,
    stopReason: 'max_tokens',
    counters: { turns: 1, attempts: 2, summaries: 1, toolCalls: 1 },
    errors: [/No summary was given: .*truncated/],
  },
  {
    what: 'a turn limit without a summary',
    status: 'max_turns',
    replies: [ROUND],
    limits: { maxTurns: 1, summary: false },
    result: null,
    stopReason: 'tool_use',
    counters: { turns: 1, attempts: 1, toolCalls: 1 },
  },
  {
    what: 'a token budget, cached tokens among them, crossed by a call that is not run',
    status: 'token_budget',
    replies: [
      { ...ROUND, usage },
      { ...ROUND, usage },
      { ...ROUND, usage: { ...usage, output_tokens: 9_000 } },
      { ...DONE, usage: {} },
    ],
    limits: { tokenBudget: 180_000 },
    result: 'done',
    stopReason: 'end_turn',
    counters: { turns: 3, attempts: 4, summaries: 1, toolCalls: 2 },
  },
  {
    what: 'a limit on calls',
    status: 'max_tool_calls',
    replies: [ROUND, ROUND, DONE],
    limits: { maxToolCalls: 1 },
    result: 'done',
    stopReason: 'end_turn',
    counters: { turns: 2, attempts: 3, summaries: 1, toolCalls: 1 },
  },
  {
    what: 'the same again and again',
    status: 'stuck',
    replies: [ROUND, ROUND, ROUND, DONE],
    limits: { maxRepeats: 3 },
    result: 'done',
    stopReason: 'end_turn',
    counters: { turns: 3, attempts: 4, summaries: 1, toolCalls: 3 },
  },
  {
    what: 'a refusal',
    status: 'refused',
    replies: [{ content: [], stop_reason: 'refusal' }],
    result: null,
    stopReason: 'refusal',
    counters: { turns: 1, attempts: 1 },
    errors: [/The model refused the request\./],
  },
  {
    what: 'a reply cut for good',
    status: 'truncated',
    replies: [cut, cut, cut],
    limits: { maxOutputTokens: 100 },
    result: 'half',
    stopReason: 'max_tokens',
    counters: { attempts: 3, truncations: 3 },
    errors: [/limit of 400 tokens \(truncation\); no call of it was executed/],
  },
  {
    what: 'a reply cut by the context',
    status: 'context_exhausted',
    replies: [{ text: 'half', stop_reason: 'model_context_window_exceeded' }],
    result: 'half',
    stopReason: 'model_context_window_exceeded',
    counters: { turns: 1, attempts: 1 },
    errors: [/no longer fits the model's context window/],
  },
  {
    what: 'a prompt that is too long',
    status: 'context_exhausted',
    replies: [ROUND, { fault: { status: 400, message: 'prompt is too long' } }],
    result: null,
    stopReason: 'tool_use',
    counters: { turns: 1, attempts: 2, toolCalls: 1 },
    errors: [/prompt is too long/],
  },
  {
    what: 'an empty reply',
    status: 'model_stopped',
    replies: [{ content: [] }, { content: [] }],
    result: null,
    stopReason: 'end_turn',
    counters: { turns: 2, attempts: 2 },
    errors: [/empty reply/],
  },
  {
    what: 'an unknown stop reason',
    status: 'model_stopped',
    replies: [{ text: 'enough', stop_reason: 'tired' }],
    result: null,
    stopReason: 'tired',
    counters: { turns: 1, attempts: 1 },
    errors: [/"tired"/],
  },
  {
    what: 'pauses without end',
    status: 'model_stopped',
    replies: [pause, pause],
    limits: { maxPauses: 1 },
    result: null,
    stopReason: 'pause_turn',
    counters: { attempts: 2, pauses: 2 },
    errors: [/paused its turn again and again/],
  },
  {
    what: 'a contradiction',
    status: 'protocol_error',
    replies: [{ ...ROUND, stop_reason: 'end_turn' }],
    result: null,
    stopReason: 'end_turn',
    counters: { turns: 1, attempts: 1 },
    errors: [/contradicts itself: .*end_turn\. Nothing of it was executed/],
  },
  {
    what: 'a request that fails for good',
    status: 'model_error',
    replies: [{ fault: { status: 401, message: 'no such key' } }],
    result: null,
    stopReason: null,
    counters: { attempts: 1 },
    errors: [/no such key/],
  },
  {
    what: 'a request that fails once too often',
    status: 'model_error',
    replies: [1, 2].map(() => ({ fault: { status: 529, retry_after: 0.001 } })),
    limits: { maxRetries: 1 },
    result: null,
    stopReason: null,
    counters: { attempts: 2 },
    errors: [/529/],
  },
];

describe.each(ROWS)('the outcome of $what', ({ status, replies, limits = {}, ...expected }) => {
  it('has its status, its exit code, what there is of an answer, and the figures', async () => {
    const { outcome } = await runOf(replies, { limits });
    expect(outcome).toMatchObject({
      status,
      exitCode: STOP_STATUSES[status].exitCode,
      result: expected.result,
      stopReason: expected.stopReason,
      signal: null,
      journal: 'memory',
      counters: { ...counted, ...expected.counters },
    });
    const patterns = (expected.errors ?? []).map((pattern) => expect.stringMatching(pattern));
    expect(outcome.errors).toEqual(patterns);
  });

  it('is noted at the end of the records', async () => {
    const { outcome, records } = await runOf(replies, { limits });
    const { usage, counters } = outcome;
    expect(records[0]?.type).toBe('run.started');
    expect(records.at(-1)).toMatchObject({
      type: 'run.ended',
      status,
      turns: counters.turns,
      usage,
    });
    expect(records.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
  });
});

describe('an outcome', () => {
  it('explains a refusal in the words of the service', async () => {
    const client = {
      name: 'test',
      ask: async () => ({
        content: [{ type: 'text', text: 'I will not.' }],
        stop_reason: 'refusal',
        stop_details: { type: 'refusal', category: 'cyber', explanation: 'This is out of bounds.' },
      }),
    };
    const { outcome } = await runOf([], { client });
    expect(outcome.errors).toEqual(['The model refused the request: This is out of bounds.']);
    expect(outcome.result).toBe('I will not.');
  });

  it('adds up the four kinds of tokens, each by itself', async () => {
    const { outcome } = await runOf([
      { ...ROUND, usage },
      { ...DONE, usage },
    ]);
    expect(outcome.usage).toEqual({ input: 10, cacheWrite: 6_000, cacheRead: 80_000, output: 200 });
    const one = { input: 5, cacheWrite: 3_000, cacheRead: 40_000, output: 100 };
    expect(outcome.replies).toEqual([
      { turn: 1, attempt: 1, stopReason: 'tool_use', usage: one },
      { turn: 2, attempt: 1, stopReason: 'end_turn', usage: one },
    ]);
  });

  it('lists what was denied, and why', async () => {
    const { outcome } = await runOf([
      {
        calls: [
          { name: 'secret', input: {}, id: 'a' },
          { name: 'write', input: {}, id: 'b' },
          { name: 'nothing', input: {}, id: 'c' },
        ],
      },
      DONE,
    ]);
    expect(outcome.denials).toEqual([
      { callId: 'a', tool: 'secret', reason: 'secrets are kept' },
      { callId: 'b', tool: 'write', reason: 'ask politely' },
    ]);
  });

  it('has the messages to the last answer, and the time from start to end', async () => {
    const { outcome } = await runOf([ROUND, DONE]);
    expect(outcome.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(outcome.durationMs).toBeGreaterThan(0);
    expect(outcome.durationMs % 1_000).toBe(0);
  });

  it('names the run as it was named, or by the time of its start', async () => {
    expect((await runOf([DONE], { runId: 'mine' })).outcome.runId).toBe('mine');
    expect((await runOf([DONE])).outcome.runId).toBe('19700101-000001-00iii');
  });
});
