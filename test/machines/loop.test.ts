import { describe, expect, it, vi } from 'vitest';
import { createActor, fromCallback, getInitialMicrosteps, initialTransition } from 'xstate';
import { initialContext } from '../../machines/context.ts';
import { guards } from '../../machines/guards.ts';
import { DEFAULT_LIMITS, NO_COUNTERS } from '../../machines/limits.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { assertNever } from '../../machines/never.ts';
import { stateName } from '../../machines/state-name.ts';
import { updates } from '../../machines/updates.ts';
import {
  ANSWER,
  at,
  CANCEL,
  call,
  EXPIRE,
  failed,
  LIMITS,
  type LoopSnapshot,
  message,
  OUT_OF_TURNS,
  pending,
  replied,
  saved,
  text,
  UNSAVED,
} from './given.ts';
import { step } from './step.ts';

describe('the start of a run', () => {
  it('asks the model at once, with everything at its beginning', () => {
    const [snapshot] = initialTransition(loopMachine, { limits: DEFAULT_LIMITS });
    expect(stateName(snapshot.value)).toBe('asking.requesting');
    expect(snapshot.context).toEqual(initialContext({ limits: DEFAULT_LIMITS }));
  });

  it('sends no request if a limit is there from the beginning', () => {
    const microsteps = getInitialMicrosteps(loopMachine, { limits: { ...LIMITS, tokenBudget: 0 } });
    expect(microsteps.map(([{ value }]) => stateName(value))).toEqual([
      'asking.checking',
      'persisting.closing',
    ]);
  });
});

describe('the machine', () => {
  it('has a bound on the steps that one event may cause, since the default is none', () => {
    expect(loopMachine.options?.maxIterations).toBe(100);
  });

  it('needs its jobs: one that was not provided ends it with an error that says which', () => {
    const actor = createActor(loopMachine, { input: { limits: LIMITS } });
    const errors: unknown[] = [];
    actor.subscribe({ error: (error) => errors.push(error) });
    actor.start();
    expect(actor.getSnapshot().status).toBe('error');
    expect(errors).toEqual([
      new Error(
        'watchClock: not provided. Give the loop machine its jobs with loopMachine.provide({ actors }).',
      ),
    ]);
  });
});

describe('the clock', () => {
  it('runs beside every job, with the time that the limits give', () => {
    const limits = { ...LIMITS, timeoutMs: 60_000 };
    const job = vi.fn();
    const machine = loopMachine.provide({
      actors: {
        askModel: fromCallback(() => {}),
        watchClock: fromCallback(({ input }) => job(input)),
      },
    });
    createActor(machine, { input: { limits } }).start();
    expect(job.mock.calls).toEqual([[{ timeoutMs: 60_000 }]]);
  });

  it('is not started anew by what happens, and ends with the run', () => {
    const asking = at('asking.requesting');
    const { next, actions } = step(asking, failed({ turn: 1, attempt: 1 }));
    const clockOf = ({ children }: LoopSnapshot) => Object.values(children)[0];
    expect(clockOf(next)).toBe(clockOf(asking));
    expect(actions.map(({ type }) => type)).toEqual(['xstate.stopChild', 'xstate.spawnChild']);
    const { next: ended } = step(at('persisting.response', { pending: pending.response }), UNSAVED);
    expect(ended.status).toBe('done');
  });
});

describe('the running job', () => {
  const calls = [call('a', 'started')];

  it.each([
    ['a cancel', CANCEL, { status: 'cancelled', signal: 'SIGTERM' }],
    ['the end of the time', EXPIRE, { status: 'time_limit' }],
  ])('%s asks executeTools to stop and leaves it running', (_, event, stop) => {
    const before = at('executing.running', { calls });
    const { next, actions } = step(before, event);
    expect(actions).toMatchObject([
      { type: 'xstate.sendTo', params: { targetId: 'executeTools', event: { type: 'calls.stop', stop } } },
    ]);
    expect(next.children.executeTools).toBe(before.children.executeTools);
  });

  it('leaving the state ends its job', () => {
    const { actions } = step(at('asking.requesting'), CANCEL);
    expect(actions.map(({ type }) => type)).toEqual(['xstate.stopChild', 'xstate.spawnChild']);
  });
});

describe('a stop at the question', () => {
  it('is a cancel that is told from the others', () => {
    const asked = at('awaitingApproval.asking', { calls: [call('a', 'waiting')] });
    const { next } = step(asked, { type: 'run.cancelled', signal: 'SIGINT', atQuestion: true });
    expect(next.context.stop).toEqual({ status: 'cancelled', signal: 'SIGINT', atQuestion: true });
    expect(step(asked, CANCEL).next.context.stop).not.toHaveProperty('atQuestion');
  });
});

describe('a reply counts', () => {
  it.each([
    ['as a turn', ANSWER, { turns: 1, pauses: 0, truncations: 0 }],
    [
      'as a pause, not as a turn',
      message('pause_turn', [text('wait')]),
      { turns: 0, pauses: 1, truncations: 0 },
    ],
    ['as a truncation, not as a turn', message('max_tokens', []), { turns: 0, pauses: 0, truncations: 1 }],
  ])('%s', (_, reply, counters) => {
    const { next } = step(at('asking.requesting'), replied({ turn: 1, attempt: 1 }, reply));
    expect(next.context.counters).toEqual({ ...NO_COUNTERS, attempts: 1, ...counters });
  });
});

describe('a call that is told to have started', () => {
  it.each([
    ['that runs already', call('a', 'started'), 'a'],
    ['that was refused', call('a', 'refused'), 'a'],
    ['that nobody knows', call('a', 'approved'), 'x'],
  ])('%s is not counted', (_, one, callId) => {
    const { next } = step(at('executing.running', { calls: [one] }), {
      type: 'tool.started',
      turn: 1,
      callId,
    });
    expect(next.context.calls).toEqual([one]);
    expect(next.context.counters.toolCalls).toBe(0);
  });
});

describe('what is asked on another kind of event than it is about', () => {
  const context = { ...initialContext({ limits: LIMITS }), stop: OUT_OF_TURNS };
  const other = { context, event: EXPIRE };

  it.each([
    'isCurrent',
    'isWorthAnotherTry',
    'isWorthAnotherSummary',
    'isTooLarge',
    'isTooDear',
    'isSummaryTooDear',
    'isLifted',
    'isLiftedBeforeCalls',
    'isOutOfContext',
    'isConcluding',
    'needsApproval',
    'hasApproved',
    'isSaved',
    'isCancelledMeanwhile',
    'owesSummary',
    'hasOpenCalls',
  ] as const)('the guard %s says no', (name) => {
    expect(guards[name](other)).toBe(false);
  });

  it('another record than a closing is not cancelled meanwhile', () => {
    const pending = { type: 'results.recorded', turn: 1, callIds: [], notice: null } as const;
    const event = saved('results.recorded');
    expect(guards.isCancelledMeanwhile({ context: { ...context, pending }, event })).toBe(false);
  });

  it.each([
    'receiveReply',
    'receiveSummary',
    'noteFailure',
    'takeMeasure',
    'takeSummaryMeasure',
    'takeLimits',
    'noteVerdicts',
    'noteApproval',
    'noteDenial',
    'noteStarted',
    'noteFinished',
    'cancel',
  ] as const)('the update %s changes nothing', (name) => {
    expect(updates[name](other)).toEqual({});
  });
});

describe('names of states', () => {
  it('are dotted paths', () => {
    expect(stateName('ending')).toBe('ending');
    expect(stateName({ persisting: 'closing' })).toBe('persisting.closing');
    expect(stateName({ a: { b: 'c' } })).toBe('a.b.c');
  });
});

it('a member of a closed union that no case handles throws and is shown', () => {
  expect(() => assertNever({ type: 'surprise' } as never)).toThrow('unhandled: {"type":"surprise"}');
});
