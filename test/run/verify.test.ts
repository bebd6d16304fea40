/** Runs whose answers are checked, through `run` and `resume`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parsePrices } from '../../src/budget/parse-prices.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { JournalError } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { ResumeOptions, RunOptions } from '../../src/options.ts';
import { resume } from '../../src/resume.ts';
import { run } from '../../src/run.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { checksIn, exitingSandbox } from '../helpers/checked.ts';
import { meansFor, optionsFor, runOf } from './runs.ts';

const DONE: ScriptReply = { text: 'done' };
const ROUND: ScriptReply = { text: 'I look.', calls: [{ name: 'look', input: { word: 'a' } }] };
const CHECK = { command: 'npm test' };
const MEANS = meansFor([]);

const checked = (replies: readonly ScriptReply[], codes: readonly number[], more: Partial<RunOptions> = {}) =>
  runOf(replies, { check: CHECK, sandbox: exitingSandbox(codes), ...more });

async function goOn(
  records: readonly JournalRecord[],
  replies: readonly ScriptReply[],
  codes: readonly number[],
  more: Partial<ResumeOptions> = {},
) {
  const journal = memoryJournal(() => 0, records);
  const outcome = await resume(
    { journal, records: [...journal.records], tornBytes: 0 },
    { ...MEANS, client: scriptedModel(replies, 'the script'), sandbox: exitingSandbox(codes), ...more },
  );
  return { outcome, records: journal.records };
}

const typesOf = (records: readonly JournalRecord[]) => records.map(({ type }) => type);

describe('an answer that is checked', () => {
  it('is verified where the check passes', async () => {
    const { outcome, records } = await checked([DONE], [0]);
    expect(outcome).toMatchObject({ status: 'answered', exitCode: 0, verified: true, checks: 1, repairs: 0 });
    expect(typesOf(records)).toEqual(['run.started', 'reply.received', 'check.finished', 'run.ended']);
  });

  it('goes back to the model where it fails: the answer, then what the check found, as a word of the user', async () => {
    const { outcome, records } = await checked([DONE, { when: /not yet \(1\)/, text: 'mended' }], [1, 0]);
    expect(outcome).toMatchObject({
      status: 'answered',
      result: 'mended',
      verified: true,
      checks: 2,
      repairs: 1,
    });
    expect(typesOf(records).slice(1, -1)).toEqual([
      'reply.received',
      'check.finished',
      'repair.started',
      'reply.received',
      'check.finished',
    ]);
    expect(outcome.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(JSON.stringify(outcome.messages[2])).toContain('$ npm test\\nexit_code=1\\nnot yet (1)');
  });

  it('is unverified where it fails to the last, with the last answer and exit code 40', async () => {
    const { outcome } = await checked([DONE, DONE, { text: 'the last' }], [1, 2, 3]);
    expect(outcome).toMatchObject({
      status: 'unverified',
      exitCode: 40,
      result: 'the last',
      verified: false,
      checks: 3,
      repairs: 2,
      errors: [expect.stringContaining('exit code 3')],
    });
  });

  it('is not mended where no repairs are wanted', async () => {
    const { outcome } = await checked([DONE], [1], { check: { ...CHECK, maxRepairs: 0 } });
    expect(outcome).toMatchObject({ status: 'unverified', counters: { turns: 1 }, checks: 1 });
  });
});

it('what is no answer is not checked', async () => {
  const { outcome, records } = await checked([ROUND, DONE], [], { limits: { maxTurns: 1 } });
  expect(outcome).toMatchObject({ status: 'max_turns', verified: null });
  expect(checksIn(records)).toBe(0);
});

describe('a limit holds across repairs', () => {
  const usage = { input_tokens: 2_000, output_tokens: 1_000 };
  const spending = { ...DONE, usage };

  it('of turns', async () => {
    const { outcome } = await checked([DONE, DONE, { text: 'summary' }], [1, 1, 1], {
      limits: { maxTurns: 2 },
      check: { ...CHECK, maxRepairs: 9 },
    });
    expect(outcome).toMatchObject({
      status: 'max_turns',
      verified: false,
      counters: { turns: 2, summaries: 1 },
    });
  });

  it('of tokens, and of money, which is not passed', async () => {
    const replies = Array.from({ length: 9 }, () => spending);
    const codes = Array.from({ length: 9 }, () => 1);
    const check = { ...CHECK, maxRepairs: 9 };
    const tokens = await checked(replies, codes, { check, limits: { tokenBudget: 20_000 } });
    expect(tokens.outcome).toMatchObject({ status: 'token_budget', verified: false });
    expect(tokens.outcome.repairs).toBeGreaterThan(0);
    const prices = parsePrices('{"a-model": {"input": 100, "output": 500}}');
    const money = await checked(replies, codes, { check, prices, limits: { maxCostUsd: 6 } });
    expect(money.outcome).toMatchObject({ status: 'cost_budget', verified: false });
    expect(money.outcome.repairs).toBeGreaterThan(0);
    expect(money.outcome.costUsd).toBeLessThanOrEqual(6);
  });

  it('of time: behind a check, the next loop has only what is left', async () => {
    const sandbox: Sandbox = {
      run: async (request) => {
        await sleep(400);
        return exitingSandbox([1]).run(request);
      },
    };
    const replies = [DONE, { delay_ms: 1_400, text: 'late' }, { text: 'summary' }];
    const { outcome } = await checked(replies, [], { sandbox, now: Date.now, limits: { timeoutMs: 1_500 } });
    expect(outcome).toMatchObject({ status: 'time_limit', verified: false, counters: { turns: 1 } });
  });
});

describe('a record that cannot be written', () => {
  it.each(['check.finished', 'repair.started'])(
    '(%s) ends the run before anything follows from it',
    async (type) => {
      const journal = memoryJournal(() => 0);
      const failing: Journal = {
        ...journal,
        append: (body) => {
          if (body.type === type) throw new JournalError('the disk is full');
          return journal.append(body);
        },
      };
      const outcome = await run(
        optionsFor([DONE, DONE], { journal: failing, check: CHECK, sandbox: exitingSandbox([1]) }),
      );
      expect(outcome).toMatchObject({ status: 'journal_error', exitCode: 50, errors: ['the disk is full'] });
      expect(outcome.counters.turns).toBe(1);
    },
  );
});

describe('a check that cannot work is refused before anything is begun', () => {
  it.each([
    [{ command: ' ' }, 'must be a command'],
    [{ command: 'x', maxRepairs: -1 }, 'maxRepairs'],
    [{ command: 'x', timeoutMs: 0 }, 'timeoutMs'],
    [{ command: 'curl -H s3cret' }, 'holds what is to be redacted'],
  ])('%j', async (check, message) => {
    const options = { ...optionsFor([DONE]), check, secrets: ['s3cret'], journal: memoryJournal() };
    await expect(run(options)).rejects.toThrow(message);
  });
});

describe('a run that is taken up again', () => {
  const cancelledInCheck = async () => {
    const person = new AbortController();
    return checked([DONE], [0], {
      signal: person.signal,
      gate: { cross: async ({ kind }) => void (kind === 'check' && person.abort('SIGTERM')) },
    });
  };

  it('after a cancel in its check ended as cancelled, and goes on with the check alone', async () => {
    const { outcome, records } = await cancelledInCheck();
    expect(outcome).toMatchObject({ status: 'cancelled', exitCode: 143, signal: 'SIGTERM', verified: null });
    const next = await goOn(records, [], [0]);
    expect(next.outcome).toMatchObject({
      status: 'answered',
      verified: true,
      checks: 2,
      counters: { turns: 1 },
    });
  });

  it('unverified has its answer checked once more, and its repairs are counted on', async () => {
    const { records } = await checked([DONE, DONE], [1, 1], { check: { ...CHECK, maxRepairs: 1 } });
    expect((await goOn(records, [], [0])).outcome).toMatchObject({ verified: true, checks: 3, repairs: 1 });
    const again = await goOn(records, [], [7]);
    expect(again.outcome).toMatchObject({ status: 'unverified', checks: 3, repairs: 1 });
    expect((await goOn(again.records, [], [7])).outcome).toMatchObject({ status: 'unverified', checks: 4 });
    const repaired = await goOn(records, [{ text: 'mended' }], [7, 0], { check: { maxRepairs: 2 } });
    expect(repaired.outcome).toMatchObject({ status: 'answered', result: 'mended', repairs: 2, checks: 4 });
    expect(verifyRecords(repaired.records)).toBeUndefined();
  });

  it('with more to do is checked behind the new answer, with the repairs that are left', async () => {
    const { records } = await checked([DONE, DONE], [1, 0], { check: { ...CHECK, maxRepairs: 2 } });
    const more = await goOn(records, [{ text: 'more' }, { text: 'mended' }], [1, 0], {
      instruction: 'More.',
    });
    expect(more.outcome).toMatchObject({ result: 'mended', verified: true, checks: 4, repairs: 2 });
    const last = await goOn(more.records, [{ text: 'yet more' }], [1], { instruction: 'Yet more.' });
    expect(last.outcome).toMatchObject({ status: 'unverified', checks: 5, repairs: 2 });
  });

  it('in a journal that says nothing of its repairs has them anew, as it had when that was written', async () => {
    const { records } = await checked([DONE, DONE], [1, 1], { check: { ...CHECK, maxRepairs: 1 } });
    const next = await goOn(records, [{ text: 'mended' }], [7, 0], { check: { maxRepairs: 2 } });
    const before = next.records.map(
      ({ repairs: _, ...record }: JournalRecord & { repairs?: unknown }) => record,
    );
    const fold = foldRecords(before as readonly JournalRecord[]);
    expect([fold.status, fold.task.context.repairs]).toEqual(['answered', 1]);
  });

  it('with more to do and stopped before its answer is not verified any more', async () => {
    const { records } = await checked([DONE], [0]);
    const { outcome } = await goOn(records, [ROUND, DONE], [], {
      instruction: 'More.',
      limits: { maxTurns: 2 },
    });
    expect(outcome).toMatchObject({ status: 'max_turns', verified: null, checks: 1 });
  });

  it('answered and verified needs something to do, or another check', async () => {
    const { records } = await checked([DONE], [0]);
    await expect(goOn(records, [], [])).rejects.toThrow('Give it an instruction (the words behind');
    const other = await goOn(records, [], [4], { check: { command: 'another', maxRepairs: 0 } });
    expect(other.outcome).toMatchObject({ status: 'unverified', checks: 2 });
    expect(other.records.findLast(({ type }) => type === 'check.finished')).toHaveProperty(
      'command',
      'another',
    );
  });

  it('that was not checked so far can be', async () => {
    const { records } = await runOf([DONE]);
    await expect(goOn(records, [], [], { check: { maxRepairs: 1 } })).rejects.toThrow('has no check');
    const { outcome } = await goOn(records, [], [0], { check: CHECK });
    expect(outcome).toMatchObject({ status: 'answered', verified: true, checks: 1 });
  });
});
