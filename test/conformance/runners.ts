/** What everything that runs a run must do, whatever keeps its jobs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../src/hooks/hook.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import type { RunOutcome } from '../../src/outcome.ts';
import { run as runHere } from '../../src/run.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';
import { exitingSandbox } from '../helpers/checked.ts';
import { unanswered } from '../helpers/history.ts';
import { tools } from '../helpers/props.ts';
import { CHECKED_PLAYS, PLAYS } from '../journal/plays.ts';

type Run = (options: RunOptions) => Promise<RunOutcome>;

export function runnerSuite(name: string, run: Run): void {
  const [{ play }] = PLAYS as [(typeof PLAYS)[number]];
  const { replies: _, ...usual } = play;
  const optionsFor = ({ replies, ...rest }: Pick<RunOptions, 'limits'> & Script): RunOptions => ({
    ...usual,
    task: 'the task',
    model: 'a-model',
    workspace: '/',
    random: () => 0.001,
    ...rest,
    client: scriptedModel(replies, 'the script'),
  });
  const played = async (runner: Run, options: RunOptions) => {
    const journal = memoryJournal();
    const outcome = await runner({ ...options, journal });
    return { outcome, records: journal.records };
  };
  /** By call: neighbouring reads may be told of in any order among each other. */
  const factsOf = (records: Awaited<ReturnType<typeof played>>['records']) =>
    records.map((record) => `${record.type} ${'callId' in record ? record.callId : ''}`).sort();

  describe(name, () => {
    it.each([
      ...PLAYS.map(({ title, status, play: { replies, limits = {} } }) => ({
        title,
        status,
        make: () => optionsFor({ replies, limits }),
      })),
      ...CHECKED_PLAYS.map(({ title, status, play: { replies, codes, limits = {} } }) => ({
        title,
        status,
        make: () => ({
          ...optionsFor({ replies, limits }),
          sandbox: exitingSandbox(codes),
          check: { command: 'the check' },
        }),
      })),
    ])('brings a run with $title to $status, by records that say so', async ({ status, make }) => {
      const { outcome, records } = await played(run, make());
      expect(outcome.status).toBe(status);
      expect(verifyRecords(records)).toBeUndefined();
      const fold = foldRecords(records);
      expect(fold.status).toBe(status);
      expect(outcome.messages).toEqual(fold.transcript.messages);
      expect(unanswered(outcome.messages)).toEqual([]);
      const here = await played(runHere, make());
      expect(outcome.messages).toEqual(here.outcome.messages);
      expect(factsOf(records)).toEqual(factsOf(here.records));
      const { usage, counters, costUsd, checks, repairs, denials } = here.outcome;
      expect(outcome).toMatchObject({ usage, counters, costUsd, checks, repairs, denials });
    });

    it.each(['SIGINT', 'SIGTERM'] as const)('a cancel (%s) reaches the call at work', async (signal) => {
      const controller = new AbortController();
      const waiting = waitingTool(() => controller.abort(signal));
      const replies = [{ calls: [{ name: 'wait' }, { name: 'set' }] }, { text: 'never asked for' }];
      const { outcome, records } = await played(run, {
        ...optionsFor({ replies }),
        tools: [...tools, waiting],
        signal: controller.signal,
      });
      expect(outcome).toMatchObject({ status: 'cancelled', signal });
      expect(records.map(({ type }) => type)).not.toContain('journal_error');
      expect(JSON.stringify(outcome.messages)).toMatch(/ended early.*Not executed/);
      expect(verifyRecords(records)).toBeUndefined();
    });

    it('tells the hooks how it has ended, and what they say is an error of the run', async () => {
      const told: unknown[] = [];
      const note: NonNullable<Hooks['afterRun']>[number] = {
        name: 'note',
        run: ({ status, turns }) => {
          told.push({ status, turns });
          return 'seen';
        },
      };
      const { outcome } = await played(run, {
        ...optionsFor({ replies: [{ text: 'done' }] }),
        hooks: { afterRun: [note] },
      });
      expect(told).toEqual([{ status: 'answered', turns: 1 }]);
      expect(outcome).toMatchObject({ status: 'answered', errors: ['The hook note says: seen'] });
    });

    it('the time limit stops the call at work, and a summary is made', async () => {
      const replies = [{ calls: [{ name: 'wait' }] }, { text: 'as far as it goes' }];
      const { outcome } = await played(run, {
        ...optionsFor({ replies, limits: { timeoutMs: 700 } }),
        tools: [...tools, waitingTool(() => {})],
      });
      expect(outcome).toMatchObject({ status: 'time_limit', result: 'as far as it goes' });
    });
  });
}

interface Script {
  readonly replies: Parameters<typeof scriptedModel>[0];
}

/** Waits until it is told to stop. */
const waitingTool = (onBegin: () => void): Tool =>
  defineTool({
    ...(tools[0] as Tool),
    name: 'wait',
    effect: 'effectful',
    run: async (_, { signal }) => {
      onBegin();
      await sleep(30_000, undefined, { signal }).catch(() => {});
      return 'ended early';
    },
  });
