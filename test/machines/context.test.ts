import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createActor, fromCallback, type Snapshot } from 'xstate';
import { NOTHING_UNSETTLED } from '../../machines/budget.ts';
import {
  initialContext,
  type JobInputs,
  type JobName,
  jobInput,
  type LoopContext,
  nextPlace,
} from '../../machines/context.ts';
import type { LoopEvent, StopCalls } from '../../machines/events.ts';
import { NO_COUNTERS } from '../../machines/limits.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { resumable } from '../../machines/resume.ts';
import { stateName } from '../../machines/state-name.ts';
import { planCalls } from '../../machines/turn.ts';
import {
  ANSWER,
  at,
  BUDGETS,
  CALLS,
  call,
  digestOf,
  FAILURE,
  LIMITS,
  OUT_OF_TURNS,
  pending,
  SMALL,
} from './given.ts';
import { ROUGH } from './search/alphabet.ts';
import { explore } from './search/explore.ts';
import { step } from './step.ts';
import { WAITING } from './waiting.ts';

const found = explore(
  { ...LIMITS, maxTurns: 1, maxPauses: 0, maxRepeats: 2, tokenBudget: 10_000 },
  { ...ROUGH, calls: [2], forecasts: [SMALL] },
);
const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** Members that are undefined are allowed for: xstate has some, and JSON leaves them out. */
function isPlain(value: unknown): boolean {
  if (value === undefined || value === null || Number.isFinite(value)) return true;
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (Array.isArray(value)) return value.every(isPlain);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

describe(`in all of ${found.length} reachable configurations`, () => {
  it('the context is plain JSON: a round trip changes nothing', () => {
    const changed = found
      .map(({ snapshot }) => snapshot.context)
      .filter((context) => !isDeepStrictEqual(throughJson(context), context));
    expect(changed).toEqual([]);
  });

  it('what is persisted is plain JSON, in the form of xstate and in ours', () => {
    const persisted = found.flatMap(({ snapshot }) => [
      loopMachine.getPersistedSnapshot(snapshot),
      resumable(snapshot),
    ]);
    expect(persisted.filter((one) => !isPlain(one))).toEqual([]);
  });

  it('no message of the history is kept: the context holds at most the one that is being saved', () => {
    const kept = found
      .map(({ snapshot }) => ({ ...snapshot.context, pending: null }))
      .filter((context) => JSON.stringify(context).includes('"content"'));
    expect(kept).toEqual([]);
  });
});

/** Starts a machine from JSON and tells which jobs it started, with what. */
function jobsStartedFrom(snapshot: Snapshot<unknown>): [JobName, unknown][] {
  const started: [JobName, unknown][] = [];
  const listening = <Name extends JobName>(name: Name) =>
    fromCallback<StopCalls, JobInputs[Name]>(({ input }) => {
      started.push([name, input]);
    });
  const machine = loopMachine.provide({
    actors: {
      askModel: listening('askModel'),
      measurePrompt: listening('measurePrompt'),
      watchClock: listening('watchClock'),
      waitBeforeRetry: listening('waitBeforeRetry'),
      appendJournal: listening('appendJournal'),
      reviewCalls: listening('reviewCalls'),
      awaitApproval: listening('awaitApproval'),
      executeTools: listening('executeTools'),
    },
  });
  createActor(machine, { input: { limits: LIMITS }, snapshot: throughJson(snapshot) }).start();
  return started;
}

describe('a machine that is started from a state starts the clock and the job of this state, with their input', () => {
  const open = [call('a', 'waiting'), call('b', 'approved')];
  const planned = [call('a', 'planned'), call('b', 'planned')];
  const limits = { ...LIMITS, timeoutMs: 60_000 };
  const clock: [JobName, unknown] = ['watchClock', { timeoutMs: 60_000 }];
  const request = { turn: 2, attempt: 2, failures: 0, maxOutputTokens: 100, fallback: false };
  const spending = { limits, usage: NO_USAGE, costUsd: 0, unsettled: NOTHING_UNSETTLED, summaryTries: 0 };
  const measure = { turn: 2, attempt: 2, fallback: false, spending, wanted: 100, window: null };
  const run = { turn: 2, calls: open, maxResultBytes: null };
  const expected: Record<keyof typeof WAITING, [JobName, unknown] | null> = {
    'asking.measuring': ['measurePrompt', { ...measure, conclude: false }],
    'asking.requesting': ['askModel', { ...request, conclude: false }],
    backingOff: ['waitBeforeRetry', { turn: 2, attempt: 2, delayMs: 500 }],
    'persisting.response': ['appendJournal', { record: { ...pending.response, turn: 2 } }],
    'persisting.results': ['appendJournal', { record: { ...pending.results, turn: 2 } }],
    'persisting.nudge': ['appendJournal', { record: { ...pending.nudge, turn: 2 } }],
    'persisting.closing': ['appendJournal', { record: { ...pending.closing, turn: 2 } }],
    'persisting.summary': ['appendJournal', { record: { ...pending.summary, turn: 2 } }],
    'validating.reviewing': ['reviewCalls', { turn: 2, calls: planned }],
    'awaitingApproval.asking': ['awaitApproval', { turn: 2, calls: open }],
    'awaitingApproval.suspended': null,
    'executing.running': ['executeTools', run],
    'executing.stopping': ['executeTools', run],
    'finishing.measuring': ['measurePrompt', { ...measure, conclude: true }],
    'finishing.requesting': ['askModel', { ...request, conclude: true }],
  };

  it.each(Object.entries(expected))('%s', (state, job) => {
    const jobs = job === null ? [clock] : [clock, job];
    const snapshot = at(state, { ...WAITING[state as keyof typeof WAITING], limits });
    expect(jobsStartedFrom(loopMachine.getPersistedSnapshot(snapshot))).toEqual(jobs);
    expect(jobsStartedFrom(resumable(snapshot))).toEqual(jobs);
  });

  it('covers every state in which a run can rest', () => {
    const seen = new Set(
      found
        .filter(({ snapshot }) => snapshot.status === 'active')
        .map(({ snapshot }) => stateName(snapshot.value)),
    );
    expect([...seen].sort()).toEqual(Object.keys(expected).sort());
  });

  it('an ended run starts nothing', () => {
    expect(jobsStartedFrom(resumable(at('max_turns', { stop: OUT_OF_TURNS })))).toEqual([]);
  });
});

describe('calls that moved on since the state was entered', () => {
  const reachedBy = (state: string, calls: ReturnType<typeof call>[], ...events: LoopEvent[]) =>
    events.reduce((snapshot, event) => step(snapshot, event).next, at(state, { calls }));
  const asked = reachedBy('awaitingApproval.asking', [call('a', 'waiting'), call('b', 'waiting')], {
    type: 'approval.granted',
    turn: 1,
    callId: 'a',
  });
  const ran = reachedBy(
    'executing.running',
    [call('a', 'approved'), call('b', 'approved')],
    { type: 'tool.started', turn: 1, callId: 'a' },
    { type: 'tool.finished', turn: 1, callId: 'a', fingerprint: 'a done' },
    { type: 'tool.started', turn: 1, callId: 'b' },
  );
  const progress = (snapshot: Snapshot<unknown>) =>
    jobsStartedFrom(snapshot)
      .filter(([name]) => name !== 'watchClock')
      .map(([, input]) => (input as JobInputs['executeTools']).calls.map((one) => one.progress));

  it('are handed to the resumed job as they stand now: none is asked about or run a second time', () => {
    expect(progress(resumable(asked))).toEqual([['approved', 'waiting']]);
    expect(progress(resumable(ran))).toEqual([['finished', 'started']]);
  });

  it('would be handed to it as they once stood by the form that xstate persists', () => {
    expect(progress(loopMachine.getPersistedSnapshot(asked))).toEqual([['waiting', 'waiting']]);
    expect(progress(loopMachine.getPersistedSnapshot(ran))).toEqual([['approved', 'approved']]);
  });
});

describe('the inputs of the jobs', () => {
  const context = initialContext({ limits: { ...LIMITS, maxOutputTokens: 50_000 } });

  it('the output limit of a request is that of the turn, which may have grown', () => {
    expect(jobInput.askModel({ context: { ...context, maxOutputTokens: 60_000 } }).maxOutputTokens).toBe(
      60_000,
    );
  });

  it('a summary is kept small, since it may exceed the budget that it explains', () => {
    expect(jobInput.askForSummary({ context }).maxOutputTokens).toBe(8_192);
  });

  it('no request asks for more than a budget allows, nor for more than it wants', () => {
    const allowed = (tokens: number) => ({ ...context, allowance: { tokens, by: 'token_budget' as const } });
    expect(jobInput.askModel({ context: allowed(2_000) }).maxOutputTokens).toBe(2_000);
    expect(jobInput.askForSummary({ context: allowed(2_000) }).maxOutputTokens).toBe(2_000);
    expect(jobInput.askForSummary({ context: allowed(9_000) }).maxOutputTokens).toBe(8_192);
  });

  it('a measure is taken of what is asked for: as much output, and of the summary less', () => {
    expect(jobInput.measurePrompt({ context }).wanted).toBe(50_000);
    expect(jobInput.measureSummary({ context }).wanted).toBe(8_192);
  });

  it('after a refusal that another model made good, all that follows is measured for this one and asked of it', () => {
    const after = { context: { ...context, counters: { ...NO_COUNTERS, fallbacks: 1 } } };
    const inputs = [
      jobInput.askModel(after),
      jobInput.askForSummary(after),
      jobInput.measurePrompt(after),
      jobInput.measureSummary(after),
    ];
    expect(inputs.map(({ fallback }) => fallback)).toEqual([true, true, true, true]);
  });

  it('results are as large as a budget leaves room for behind the prompt and the reply', () => {
    const reply = { ...digestOf(CALLS), usage: { ...NO_USAGE, input: 400, output: 100 } };
    const calls = planCalls(reply);
    const running = { ...context, limits: BUDGETS, reply, calls };
    const { maxResultBytes } = jobInput.executeTools({ context: { ...running, forecast: SMALL } });
    // Both calls together: the budget, less the prompt, the closing, and the least that a summary says.
    expect(maxResultBytes).toBe((10_000 - 500 - 1_024 - 1_024) / 2 - 50);
    expect(jobInput.executeTools({ context: running }).maxResultBytes).toBeNull();
  });

  it('a wait lasts as long as the failure says', () => {
    const failure = { ...FAILURE, delayMs: 1_234 };
    expect(jobInput.waitBeforeRetry({ context: { ...context, failure } }).delayMs).toBe(1_234);
  });

  it('a state without what it needs is a defect and throws', () => {
    expect(() => jobInput.appendJournal({ context })).toThrow('the loop machine has no record');
    expect(() => jobInput.waitBeforeRetry({ context })).toThrow('the loop machine has no failure');
    expect(() => jobInput.executeTools({ context: { ...context, forecast: SMALL } })).toThrow(
      'the loop machine has no reply',
    );
  });
});

it.each([undefined, {}])(
  'an actor of the loop that is made with the input %j says what it needs',
  (input) => {
    const make = () => initialContext(input as never);
    expect(make).toThrow('the loop machine needs { input: { limits } }');
    const { error } = createActor(loopMachine, { input: input as never }).getSnapshot() as { error?: Error };
    expect(error?.message).toMatch(/^the loop machine needs/);
  },
);

describe('the place of the next request', () => {
  const answer = digestOf(ANSWER);
  it.each<[string, Partial<LoopContext>, { turn: number; attempt: number }]>([
    [
      'is the first of the next turn behind a reply that counted',
      { counters: { ...NO_COUNTERS, turns: 1 }, reply: answer },
      { turn: 2, attempt: 1 },
    ],
    [
      'is the next of the same turn behind one that did not',
      { attempt: 2, reply: answer },
      { turn: 1, attempt: 3 },
    ],
    ['is the next of the same turn behind a failure', { failures: 1 }, { turn: 1, attempt: 2 }],
    ['is that of a request that was never answered', { attempt: 2 }, { turn: 1, attempt: 2 }],
  ])('%s', (_, before, place) => {
    expect(nextPlace({ ...initialContext({ limits: LIMITS }), ...before })).toEqual(place);
  });
});
