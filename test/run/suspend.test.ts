/** A run that nobody answers now: it is left where it waits, decided about, and taken up again. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Message } from '../../machines/protocol.ts';
import { type CallDecision, CannotDecide, type DecideOptions, decide } from '../../src/decide.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { type Journal, JournalError } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { ResumeOptions, RunOptions } from '../../src/options.ts';
import { type ApprovalAnswer, type Approver, later } from '../../src/permissions/approver.ts';
import type { Policy } from '../../src/permissions/policy.ts';
import { resume } from '../../src/resume.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';
import { waitingCalls } from '../../src/waiting.ts';
import { tools } from '../helpers/props.ts';
import { meansFor, runOf } from './runs.ts';

const write = (id: string, word = id) => ({ id, name: 'write', input: { word } });
const THREE = { calls: [write('a'), { id: 'l', name: 'look', input: {} }, write('b'), write('c')] };
const DONE = { text: 'done' };
const MEANS = meansFor([]);

const answering = (answers: Readonly<Record<string, ApprovalAnswer>>, asked: string[] = []): Approver => ({
  ask: async ({ callId }) => {
    asked.push(callId);
    return answers[callId] ?? 'later';
  },
});
const NO: ApprovalAnswer = { granted: false, reason: 'not this one' };
const YES: ApprovalAnswer = { granted: true };

const suspended = (more: Partial<RunOptions> = {}) => runOf([THREE, DONE], { approver: later, ...more });

const opened = (records: readonly JournalRecord[], journal: Journal = memoryJournal(() => 0, records)) => ({
  journal,
  records,
  tornBytes: 0,
});

async function decided(
  records: readonly JournalRecord[],
  decisions: readonly CallDecision[],
  options?: DecideOptions,
) {
  const journal = memoryJournal(() => 0, records);
  const waiting = await decide(opened(records, journal), decisions, options);
  return { records: journal.records, waiting: waiting.map(({ callId }) => callId) };
}

/** With the tools' calls counted. */
async function goOn(records: readonly JournalRecord[], more: Partial<ResumeOptions> = {}) {
  const journal = memoryJournal(() => 0, records);
  const ran: string[] = [];
  const counting = tools.map((tool) => ({
    ...tool,
    run: (input: unknown, context: never) => {
      ran.push(`${tool.name} ${(input as { word?: string }).word ?? ''}`.trim());
      return tool.run(input as never, context);
    },
  })) as readonly Tool[];
  const client = scriptedModel([DONE], 'the rest');
  const outcome = await resume(opened(records, journal), {
    ...MEANS,
    client,
    approver: later,
    tools: counting,
    ...more,
  });
  return { outcome, records: journal.records, ran };
}

const resultsIn = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  );

describe('a run whose calls are decided later', () => {
  it('is suspended: no end is recorded, nothing has run, and all that waits is named', async () => {
    const { outcome, records } = await suspended();
    expect(outcome).toMatchObject({ status: 'suspended', exitCode: 30, result: null, errors: [] });
    expect(outcome.waiting).toMatchObject([
      { callId: 'a', tool: 'write', input: { word: 'a' }, effect: 'effectful' },
      { callId: 'b', input: { word: 'b' } },
      { callId: 'c', input: { word: 'c' } },
    ]);
    expect(records.map(({ type }) => type)).toEqual(['run.started', 'reply.received', 'calls.reviewed']);
    expect(waitingCalls(foldRecords(records))).toEqual(outcome.waiting);
  });

  it('has everything on the disk before it is left, and is a journal error where that fails', async () => {
    let isSynced = false;
    const inner = memoryJournal();
    const watched: Journal = {
      ...inner,
      append(body) {
        isSynced = false;
        return inner.append(body);
      },
      async sync() {
        isSynced = true;
      },
    };
    const { outcome } = await suspended({ journal: watched, approver: answering({ a: YES, b: NO }) });
    expect([outcome.status, isSynced]).toEqual(['suspended', true]);
    let syncs = 0;
    const failing: Journal = {
      ...memoryJournal(),
      sync: async () => {
        syncs += 1;
        if (syncs > 2) throw new JournalError('the disk is gone');
      },
    };
    expect((await suspended({ journal: failing })).outcome).toMatchObject({
      status: 'journal_error',
      errors: ['the disk is gone'],
    });
  });

  it('keeps what was decided: of yes, no and later only the last waits', async () => {
    const { outcome, records } = await suspended({ approver: answering({ a: YES, b: NO }) });
    expect(outcome.waiting.map(({ callId }) => callId)).toEqual(['c']);
    const asked: string[] = [];
    const done = await goOn(records, { approver: answering({ c: YES }, asked) });
    expect(asked).toEqual(['c']);
    expect(done.ran).toEqual(['write a', 'look', 'write c']);
    expect(done.outcome.status).toBe('answered');
    expect(resultsIn(done.outcome.messages)).toMatchObject([
      { tool_use_id: 'a', content: 'write a' },
      { tool_use_id: 'l', content: 'look' },
      { tool_use_id: 'b', content: 'not this one', is_error: true },
      { tool_use_id: 'c', content: 'write c' },
    ]);
    expect(verifyRecords(done.records)).toBeUndefined();
  });

  it('is suspended again, as often as calls still wait', async () => {
    const first = await suspended();
    const second = await decided(first.records, [{ callId: 'b', granted: true }]);
    const third = await goOn(second.records);
    expect(third.outcome).toMatchObject({ status: 'suspended', waiting: [{ callId: 'a' }, { callId: 'c' }] });
    expect(third.ran).toEqual([]);
    const fourth = await decided(third.records, [
      { callId: 'c', granted: false, reason: 'too late' },
      { callId: 'a', granted: true },
    ]);
    expect(fourth.waiting).toEqual([]);
    const last = await goOn(fourth.records);
    expect(last.outcome.status).toBe('answered');
    expect(last.ran).toEqual(['write a', 'look', 'write b']);
    expect(last.outcome.denials).toMatchObject([
      { callId: 'c', reason: expect.stringContaining('too late') },
    ]);
    expect(verifyRecords(last.records)).toBeUndefined();
  });

  it('can be cancelled where it waits, as everywhere', async () => {
    const { records } = await suspended();
    const controller = new AbortController();
    controller.abort('SIGTERM');
    const { outcome, ran } = await goOn(records, { signal: controller.signal });
    expect([outcome.status, outcome.exitCode, ran]).toEqual(['cancelled', 143, []]);
    expect(resultsIn(outcome.messages)).toHaveLength(4);
  });

  it('ends as cancelled where the person stops it, and every call has a result that says so', async () => {
    const { outcome, records } = await suspended({ approver: answering({ a: YES, b: 'stop' }) });
    expect(outcome).toMatchObject({ status: 'cancelled', exitCode: 130, waiting: [] });
    expect(resultsIn(outcome.messages).map(({ content }) => content)).toEqual(
      Array(4).fill('Not executed: the person cancelled the run.'),
    );
    expect(verifyRecords(records)).toBeUndefined();
  });
});

describe('a verdict is a fact', () => {
  const broken: Policy = {
    decide: () => {
      throw new Error('asked again');
    },
  };

  it('no rule is asked about a call that was decided about, in whatever process', async () => {
    const { records } = await suspended();
    const all = ['a', 'b', 'c'].map((callId) => ({ callId, granted: callId !== 'b' }));
    const { outcome, ran } = await goOn((await decided(records, all)).records, { policy: broken });
    expect([outcome.status, ran]).toEqual(['answered', ['write a', 'look', 'write c']]);
  });

  it('what still waits is put to the rules of the process that goes on', async () => {
    const { records } = await suspended();
    const allow: Policy = { decide: () => ({ decision: 'allow', rule: '--yes' }) };
    const { outcome, ran, records: after } = await goOn(records, { policy: allow });
    expect([outcome.status, ran]).toEqual(['answered', ['write a', 'look', 'write b', 'write c']]);
    expect(after.filter(({ type }) => type === 'approval.granted')).toMatchObject(
      Array(3).fill({ rule: '--yes' }),
    );
  });

  it('what is allowed always is not asked about again in this process, in this reply and in later ones', async () => {
    const asked: string[] = [];
    const approver = answering({ a: { granted: true, always: true }, c: YES }, asked);
    const reply = { calls: [write('a', 'same'), write('b', 'same'), write('c', 'other')] };
    const { outcome, records } = await runOf([reply, { calls: [write('d', 'same')] }, DONE], { approver });
    expect([outcome.status, asked]).toEqual(['answered', ['a', 'c']]);
    const rule = 'always: write({"word":"same"})';
    expect(records.filter(({ type }) => type === 'approval.granted')).toMatchObject([
      { callId: 'a' },
      { callId: 'b', rule },
      { callId: 'c' },
    ]);
    expect(records.filter(({ type }) => type === 'calls.reviewed').at(-1)).toMatchObject({
      verdicts: [{ callId: 'd', verdict: 'approve', rule }],
    });
  });

  it('an approval is no pass for a tool that has another form by now: the call is checked once more', async () => {
    const { records } = await suspended();
    const all = ['a', 'b', 'c'].map((callId) => ({ callId, granted: true }));
    const other = defineTool({
      name: 'write',
      description: 'write',
      input: z.strictObject({ path: z.string() }),
      effect: 'effectful',
      run: async () => 'must not run',
    }) as Tool;
    const { outcome } = await goOn((await decided(records, all)).records, { tools: [other] });
    expect(outcome.status).toBe('answered');
    expect(resultsIn(outcome.messages).every(({ is_error }) => is_error === true)).toBe(true);
    expect(JSON.stringify(outcome.messages)).not.toContain('must not run');
  });
});

describe('a decision from elsewhere', () => {
  it('is bound to the call as it was reviewed', async () => {
    const { outcome, records } = await suspended();
    const { records: after } = await decided(records, [{ callId: 'a', granted: true }]);
    expect(after.at(-1)).toMatchObject({
      type: 'approval.granted',
      turn: 1,
      callId: 'a',
      fingerprint: outcome.waiting[0]?.fingerprint,
    });
  });

  it('has its reason for the model, without what must not be in it', async () => {
    const { records } = await suspended();
    const reason = 'use key-123 of card 4242';
    const { records: after } = await decided(records, [{ callId: 'a', granted: false, reason }], {
      secrets: ['key-123'],
      redact: [/\d{4}/],
    });
    expect(after.at(-1)).toMatchObject({
      content: 'The person denied this call. Reason: use [redacted] of card [redacted]',
    });
    const { records: silent } = await decided(records, [{ callId: 'a', granted: false }]);
    expect(silent.at(-1)).toMatchObject({ content: expect.stringContaining('Do not repeat it') });
  });

  const refused: readonly (readonly [string, readonly CallDecision[], RegExp])[] = [
    ['a call that nobody made', [{ callId: 'x', granted: true }], /No call "x" waits/],
    ['a call that does not ask', [{ callId: 'l', granted: true }], /No call "l" waits/],
    [
      'a call that is another one than was seen',
      [{ callId: 'a', granted: true, fingerprint: '0' }],
      /hash is/,
    ],
    [
      'a call twice, in one go',
      [
        { callId: 'a', granted: true },
        { callId: 'a', granted: false },
      ],
      /once/,
    ],
    [
      'one of several calls',
      [
        { callId: 'a', granted: true },
        { callId: 'x', granted: true },
      ],
      /No call "x"/,
    ],
  ];
  it.each(refused)('about %s is refused, with what waits, and nothing is written', async (_, all, said) => {
    const { records } = await suspended();
    const journal = memoryJournal(() => 0, records);
    const found = await decide(opened(records, journal), all).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(CannotDecide);
    expect((found as CannotDecide).message).toMatch(said);
    expect((found as CannotDecide).waiting.map(({ callId }) => callId)).toEqual(['a', 'b', 'c']);
    expect(journal.records).toHaveLength(records.length);
  });

  it('about a call that was decided before, or of a run that has gone on, is refused', async () => {
    const { records } = await suspended();
    const all = ['a', 'b', 'c'].map((callId) => ({ callId, granted: true }));
    const after = (await decided(records, all)).records;
    const again = [{ callId: 'a', granted: false }];
    await expect(decided(after, again)).rejects.toThrow(CannotDecide);
    await expect(decided((await goOn(after)).records, again)).rejects.toThrow(CannotDecide);
  });

  it('gives the journal back in every case', async () => {
    const { records } = await suspended();
    for (const callId of ['a', 'x']) {
      const journal = memoryJournal(() => 0, records);
      await decide(opened(records, journal), [{ callId, granted: true }]).catch(() => {});
      await expect(journal.sync()).rejects.toThrow(/closed/);
    }
  });
});
