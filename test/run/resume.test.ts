import { describe, expect, it } from 'vitest';
import type { Limits } from '../../machines/limits.ts';
import type { Message } from '../../machines/protocol.ts';
import { forkedRecords } from '../../src/journal/fork.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { JournalRecord, RunStarted } from '../../src/journal/record.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { ResumeOptions } from '../../src/options.ts';
import { resume } from '../../src/resume.ts';
import { CannotResume } from '../../src/resumption.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';
import { VERSION } from '../../src/version.ts';
import { tools } from '../helpers/props.ts';
import { meansFor, runOf } from './runs.ts';

const ROUND: ScriptReply = { text: 'I look.', calls: [{ name: 'look', input: { word: 'a' } }] };
const WRITE: ScriptReply = { calls: [{ name: 'write', input: { word: 'please' } }] };
const DONE: ScriptReply = { text: 'done' };
const usage = { input_tokens: 60, output_tokens: 50 };

const MEANS = meansFor([]);

async function goOn(
  records: readonly JournalRecord[],
  replies: readonly ScriptReply[],
  more: Partial<ResumeOptions> = {},
) {
  const journal = memoryJournal(() => 0, records);
  const notices: string[] = [];
  const outcome = await resume(
    { journal, records: [...journal.records], tornBytes: 0 },
    {
      ...MEANS,
      client: scriptedModel(replies, 'the script'),
      onEvent: (event) => {
        if (event.type === 'notice') notices.push(event.text);
      },
      ...more,
    },
  );
  return { outcome, records: journal.records, notices };
}

const lastUserTexts = (messages: readonly Message[]): unknown[] => {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? [];
  return typeof content === 'string' ? [content] : content.map((block) => block.text ?? block.content);
};

describe('a run that ended is taken up again', () => {
  const rows: readonly {
    what: string;
    replies: readonly ScriptReply[];
    limits?: Partial<Limits>;
    more?: Partial<ResumeOptions>;
    rest?: readonly ScriptReply[];
    turns: number;
  }[] = [
    {
      what: 'after its answer, with more to do',
      replies: [DONE],
      more: { instruction: 'And now?' },
      turns: 2,
    },
    {
      what: 'after its turn limit, once that is raised',
      replies: [ROUND, DONE],
      limits: { maxTurns: 1 },
      more: { limits: ({ maxTurns }) => ({ maxTurns: maxTurns + 1 }) },
      turns: 2,
    },
    {
      what: 'after its turn limit without a summary',
      replies: [ROUND],
      limits: { maxTurns: 1, summary: false },
      more: { limits: { maxTurns: 2 } },
      turns: 2,
    },
    {
      what: 'after its token budget',
      replies: [{ ...ROUND, usage }, DONE],
      limits: { tokenBudget: 100 },
      more: { limits: { tokenBudget: 50_000 } },
      turns: 2,
    },
    {
      what: 'after its limit on calls',
      replies: [ROUND, ROUND, DONE],
      limits: { maxToolCalls: 1 },
      more: { limits: { maxToolCalls: 2 } },
      turns: 3,
    },
    { what: 'after a failed request', replies: [ROUND, { fault: { status: 401 } }], turns: 2 },
    {
      what: 'after a reply that was cut',
      replies: [{ ...DONE, stop_reason: 'max_tokens' }],
      limits: { maxTruncations: 0 },
      turns: 1,
    },
    {
      what: 'after a refusal',
      replies: [{ content: [], stop_reason: 'refusal' }],
      more: { instruction: 'Please.' },
      turns: 2,
    },
    { what: 'after a contradiction', replies: [{ ...ROUND, stop_reason: 'end_turn' }], turns: 2 },
    { what: 'after an empty reply', replies: [{ content: [] }], turns: 2 },
    {
      what: 'when it was stuck',
      replies: [ROUND, ROUND, DONE],
      limits: { maxRepeats: 2 },
      rest: [ROUND, DONE],
      turns: 4,
    },
    {
      what: 'in the middle of a turn that paused too often',
      replies: [{ content: [{ type: 'text', text: '…' }], stop_reason: 'pause_turn' }],
      limits: { maxPauses: 0 },
      more: { limits: { maxPauses: 1 } },
      turns: 1,
    },
  ];
  it.each(rows)('$what', async ({ replies, limits = {}, more, rest = [DONE], turns }) => {
    const first = await runOf(replies, { limits });
    expect(first.outcome.status).not.toBe(first.outcome.status === 'answered' ? '' : 'answered');
    const { outcome, records } = await goOn(first.records, rest, more);
    expect({ status: outcome.status, result: outcome.result, turns: outcome.counters.turns }).toEqual({
      status: 'answered',
      result: 'done',
      turns,
    });
    expect(records.slice(0, first.records.length)).toEqual(first.records);
    expect(outcome.counters.attempts).toBe(first.outcome.counters.attempts + rest.length);
    const told = first.outcome.messages.slice(0, -1);
    expect(outcome.messages.slice(0, told.length)).toEqual(told);
  });

  it('and gets a summary of its own at its next limit', async () => {
    const first = await runOf([ROUND, DONE], { limits: { maxTurns: 1 } });
    const { outcome } = await goOn(first.records, [ROUND, DONE], { limits: { maxTurns: 2 } });
    expect([outcome.status, outcome.result, outcome.counters.summaries]).toEqual(['max_turns', 'done', 1]);
  });

  it('and numbers its turns by the replies there were, whatever a summary was numbered', async () => {
    const first = await runOf([ROUND, ROUND, DONE], { limits: { maxTurns: 2 } });
    const { records } = await goOn(first.records, [ROUND, DONE], { limits: { maxTurns: 9 } });
    const turns = records.flatMap((record) =>
      record.type === 'reply.received' ? [[record.turn, record.attempt]] : [],
    );
    // The summary was the first request of turn 3.
    expect(turns).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 1],
    ]);
  });

  it('and keeps what it has spent: tokens, turns and calls count on', async () => {
    const first = await runOf([
      { ...ROUND, usage },
      { ...DONE, usage },
    ]);
    const { outcome } = await goOn(first.records, [{ ...ROUND, usage }, DONE], { instruction: 'more' });
    expect(outcome.usage.output).toBe(151);
    expect(outcome.counters).toMatchObject({ turns: 4, toolCalls: 2 });
  });
});

describe('a run is not taken up again', () => {
  it.each<[string, ScriptReply[], Partial<Limits>, Partial<ResumeOptions>, RegExp]>([
    [
      'where it has answered and nothing more is asked',
      [DONE],
      {},
      {},
      /has answered\. Give it an instruction \(the words behind its name\)/,
    ],
    ['where nothing but blanks is asked', [DONE], {}, { instruction: '  \n' }, /has answered/],
    [
      'at a turn limit that still holds',
      [ROUND, DONE],
      { maxTurns: 1 },
      {},
      /1 of 1 turns.*--max-turns \+10/,
    ],
    [
      'at a token budget that still holds',
      [{ ...ROUND, usage }, DONE],
      { tokenBudget: 100 },
      { limits: { tokenBudget: 111 } },
      /112 of 111 tokens.*--token-budget/,
    ],
    [
      'with a word in the middle of a paused turn',
      [{ content: [{ type: 'text', text: '…' }], stop_reason: 'pause_turn' }],
      { maxPauses: 0 },
      { instruction: 'Hurry.' },
      /paused/,
    ],
    [
      'under a limit that is none',
      [ROUND, DONE],
      { maxTurns: 1 },
      { limits: { maxTurns: 0 } },
      /maxTurns must be/,
    ],
    [
      'in a workspace that is none',
      [DONE],
      {},
      { instruction: 'more', workspace: '/nowhere' },
      /not a folder/,
    ],
  ])('%s, and nothing is written', async (_, replies, limits, more, message) => {
    const first = await runOf(replies, { limits });
    const journal = memoryJournal(() => 0, first.records);
    const opened = { journal, records: [...journal.records], tornBytes: 0 };
    const trying = resume(opened, { ...MEANS, ...more });
    await expect(trying).rejects.toThrow(TypeError);
    await expect(trying).rejects.toThrow(message);
    expect(journal.records).toEqual(first.records);
    await expect(journal.sync()).rejects.toThrow('closed');
  });

  it('in a workspace that has gone', async () => {
    const { records } = await runOf([DONE]);
    const moved = records.map((record) =>
      record.type === 'run.started' ? { ...record, workspace: '/was/here' } : record,
    );
    await expect(goOn(moved, [], { instruction: 'more' })).rejects.toThrow(CannotResume);
    const { outcome, notices } = await goOn(moved, [DONE], { instruction: 'more', workspace: '/' });
    expect([outcome.status, notices]).toEqual(['answered', ['The workspace is now /; it was /was/here.']]);
  });
});

/** The records up to the first of a type, which is the last one that the crash left. */
const upTo = (records: readonly JournalRecord[], type: JournalRecord['type']): readonly JournalRecord[] =>
  records.slice(0, records.findIndex((record) => record.type === type) + 1);

describe('a run that was interrupted behind its summary', () => {
  it('only comes to its end, and is told nothing of going on, whatever the limits are now', async () => {
    const { records } = await runOf([ROUND, ROUND], { limits: { maxTurns: 1 } });
    const { outcome, records: after } = await goOn(upTo(records, 'summary.received'), [], {
      limits: { maxTurns: 9 },
    });
    expect(outcome.status).toBe('max_turns');
    expect(after.find(({ type }) => type === 'run.resumed')).toMatchObject({ instruction: null });
  });
});

describe('what a person adds while calls are open', () => {
  it('comes behind their results, and limits hold at once', async () => {
    const { records } = await runOf([ROUND, DONE]);
    const { outcome } = await goOn(upTo(records, 'calls.reviewed'), [DONE], {
      instruction: 'Be brief.',
      limits: { maxTurns: 1 },
    });
    expect(outcome.status).toBe('max_turns');
    expect(lastUserTexts(outcome.messages)).toEqual([
      'look a',
      'Be brief.',
      expect.stringMatching(/turn limit/),
    ]);
  });
});

describe('a call that was started when the run was interrupted', () => {
  const interrupted = async (replies: ScriptReply[]) => upTo((await runOf(replies)).records, 'tool.started');

  it('is repeated where it only reads, and a person is told', async () => {
    const { outcome, notices } = await goOn(await interrupted([ROUND, DONE]), [DONE]);
    expect(lastUserTexts(outcome.messages)).toEqual(['look a']);
    expect(notices).toEqual([
      expect.stringMatching(/^The call look \(call_1\) was started\. It is read, so it is repeated/),
    ]);
  });

  it('is answered as unknown where it has effects, and is not repeated', async () => {
    const { outcome, notices } = await goOn(await interrupted([WRITE, DONE]), [DONE]);
    expect(lastUserTexts(outcome.messages)).toEqual([expect.stringMatching(/outcome is unknown/)]);
    expect(notices).toEqual([
      expect.stringMatching(/write \(call_1\) was started, and its outcome is unknown/),
    ]);
  });

  const probing = (probe: NonNullable<Tool['probe']>): readonly Tool[] =>
    tools.map((tool) => (tool.name === 'write' ? defineTool({ ...tool, probe }) : tool));
  it.each<[string, NonNullable<Tool['probe']>, RegExp]>([
    ['that it happened, and its result is used', async () => 'written before', /^written before$/],
    ['that it did not happen, and it is run', async () => 'not happened', /^write please$/],
    ['nothing', async () => undefined, /outcome is unknown/],
    [
      'nothing, since it fails, which the model is told',
      async () => {
        throw new Error('no line');
      },
      /outcome is unknown.*Looking it up failed: no line/s,
    ],
    [
      'something that is no result, which the model is told',
      async () => true as never,
      /outcome is unknown.*Looking it up failed: it returned neither a text nor/s,
    ],
  ])('is looked up where its tool can do that, which may find out %s', async (_, probe, result) => {
    const { outcome } = await goOn(await interrupted([WRITE, DONE]), [DONE], { tools: probing(probe) });
    expect(lastUserTexts(outcome.messages)).toEqual([expect.stringMatching(result)]);
  });
});

describe('what is not as it was recorded', () => {
  it('is told before the first request: tools that are gone or changed', async () => {
    const { records } = await runOf([ROUND, DONE]);
    const changed = tools
      .filter(({ name }) => name !== 'set')
      .map((tool) =>
        tool.name === 'look' ? { ...tool, description: 'Looks away.', effect: 'idempotent' as const } : tool,
      );
    const { notices, outcome } = await goOn(records, [{ calls: [{ name: 'set', input: {} }] }, DONE], {
      instruction: 'more',
      tools: changed,
    });
    expect(notices).toEqual([
      expect.stringMatching(/^The tool look has another description now; the model keeps the recorded one/),
      'The tool look is now idempotent; it was recorded as read.',
      expect.stringMatching(/^The tool set is gone/),
    ]);
    expect(lastUserTexts(outcome.messages)).toEqual([expect.stringMatching(/There is no tool named "set"/)]);
  });

  it('is another version of pawl, and a request that may be paid for twice', async () => {
    const { records } = await runOf([DONE]);
    const older = upTo(records, 'run.started').map(
      (record) => ({ ...record, pawl: '0.0.1' }) as JournalRecord,
    );
    const { notices } = await goOn(older, [DONE]);
    expect(notices).toEqual([
      expect.stringMatching(/^The run was last worked on by pawl 0\.0\.1; this is /),
      expect.stringMatching(/paid for twice/),
    ]);
  });

  it('is no request that may be paid for twice where a fork has not been worked on', async () => {
    const { records } = await runOf([ROUND, DONE]);
    const fork = { runId: 'fork', pawl: VERSION, now: 5 };
    const [begin, all] = [upTo(records, 'run.started'), { ...fork, task: 'And now?' }];
    for (const fresh of [forkedRecords(begin, fork), forkedRecords(records, all)]) {
      expect((await goOn(fresh, [ROUND, DONE, DONE])).notices).toEqual([]);
      // A process has taken it up, and may have asked.
      const { limits, workspace } = records[0] as RunStarted;
      const taken = { type: 'run.resumed', version: 1, pawl: VERSION, workspace, limits, instruction: null };
      const begun = [
        ...fresh,
        { seq: fresh.length, at: '2026-01-01T00:00:00.000Z', ...taken } as JournalRecord,
      ];
      expect((await goOn(begun, [ROUND, DONE, DONE])).notices).toEqual([
        expect.stringMatching(/paid for twice/),
      ]);
    }
  });
});

describe('what is to be redacted', () => {
  it('is the key of the client and other secrets too, in the task and the system prompt as in results', async () => {
    const client = { ...scriptedModel([ROUND, DONE]), secrets: ['sk-client'] };
    const { records } = await runOf([], {
      client,
      secrets: ['sk-other'],
      task: 'use sk-client',
      system: 'never say sk-other',
      tools: tools.map((tool) =>
        tool.name === 'look' ? { ...tool, run: async () => 'sk-client sk-other' } : tool,
      ),
    });
    expect(JSON.stringify(records)).not.toMatch(/sk-client|sk-other/);
    expect(JSON.stringify(records)).toContain('[redacted] [redacted]');
  });

  it('never enters the journal: not by the task, a result, a refusal or an instruction', async () => {
    const redact = [/hunter\d/];
    const talkative: Pick<ResumeOptions, 'redact' | 'approver' | 'tools'> = {
      redact,
      approver: { ask: async () => ({ granted: false, reason: 'not with hunter3' }) },
      tools: tools.map((tool) =>
        tool.name === 'look' ? { ...tool, run: async () => 'pass=hunter2 hunter4' } : tool,
      ),
    };
    const first = await runOf(
      [
        {
          calls: [
            { name: 'look', input: {} },
            { name: 'write', input: {} },
          ],
        },
        DONE,
      ],
      {
        task: 'log in with hunter2',
        ...talkative,
      },
    );
    const { records } = await goOn(first.records, [DONE], { instruction: 'try hunter5', ...talkative });
    expect(JSON.stringify(records)).not.toContain('hunter');
    expect(JSON.stringify(records)).toContain('pass=[redacted] [redacted]');
  });
});
