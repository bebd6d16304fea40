import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { initialContext, jobInput, type LoopContext } from '../../machines/context.ts';
import { NO_COUNTERS } from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { carry, joblessLoop } from '../../machines/resume.ts';
import { stateName } from '../../machines/state-name.ts';
import {
  ANSWER,
  at,
  BUDGETS,
  CALLS,
  CANCEL,
  digestOf,
  LIMITS,
  measured,
  OUT_OF_TURNS,
  pending,
  replied,
  resumed,
  SMALL,
  saved,
  verdict,
} from './given.ts';
import { step } from './step.ts';

describe('a run that is taken up in the middle', () => {
  it('no longer binds once it is taken away: neither the next request nor what becomes of a cut reply', () => {
    const bound = { forecast: SMALL, allowance: { tokens: 10, by: 'token_budget' as const } };
    const ended = { stop: { status: 'token_budget' as const }, usage: { ...NO_USAGE, output: 10_000 } };
    const finishing = at('finishing.requesting', { limits: BUDGETS, ...bound, ...ended });
    const { next } = step(finishing, resumed({ tokenBudget: null, maxCostUsd: null }));
    expect(stateName(next.value)).toBe('asking.requesting');
    expect(next.context).toMatchObject({ forecast: null, allowance: null, stop: null });
  });

  it.each([
    ['asking.requesting', null],
    ['finishing.requesting', OUT_OF_TURNS],
  ])(
    '%s is measured again when the run is taken up: the limits and the prompt may be others',
    (state, stop) => {
      const bound = { forecast: SMALL, allowance: { tokens: 100, by: null } };
      const before = at(state, { limits: BUDGETS, ...bound, stop, counters: { ...NO_COUNTERS, turns: 2 } });
      const { next } = step(before, resumed({ maxTurns: stop ? 2 : 9, tokenBudget: 5_000 }));
      expect(stateName(next.value)).toBe(state.replace('requesting', 'measuring'));
      expect(next.context.limits.tokenBudget).toBe(5_000);
    },
  );

  it('that held a request back, and is what it was, is not lifted: the summary is asked for', () => {
    const stop = { status: 'token_budget' as const };
    const closing = at('persisting.closing', {
      limits: BUDGETS,
      stop,
      pending: { ...pending.closing, stop },
    });
    expect(stateName(step(closing, resumed(BUDGETS)).next.value)).toBe('persisting.closing');
    const raised = { ...BUDGETS, tokenBudget: 20_000 };
    expect(stateName(step(closing, resumed(raised)).next.value)).toBe('asking.measuring');
  });
});

describe('a run that has ended and is taken up again', () => {
  const counters = { ...NO_COUNTERS, turns: 2, summaries: 1, fallbacks: 1 };
  const usage = { ...NO_USAGE, output: 7 };
  const ended = at('max_turns', {
    turn: 3,
    attempt: 2,
    counters,
    usage,
    costUsd: 0.5,
    nudges: 1,
    rounds: ['x'],
  });
  const reply = digestOf(ANSWER);

  it.each<[string, Partial<LoopContext>, boolean, Partial<LoopContext>]>([
    [
      'goes on with the next turn behind a reply',
      { reply, counters: { ...counters, turns: 3 } },
      false,
      { turn: 4, attempt: 1, pauses: 0 },
    ],
    ['goes on with the turn that is paused', { reply }, true, { turn: 3, attempt: 3, pauses: 1 }],
    ['goes on with a turn that has had no reply', {}, false, { turn: 3, attempt: 2, pauses: 0 }],
    [
      'goes on with the attempt after a failed one',
      { failures: 1 },
      false,
      { turn: 3, attempt: 3, pauses: 0 },
    ],
    ['goes on behind a pause that a summary was asked for', {}, true, { turn: 3, attempt: 2, pauses: 1 }],
  ])('%s', (_, before, endsInPause, position) => {
    expect(carry({ ...ended.context, ...before }, endsInPause)).toMatchObject(position);
  });

  it('keeps what it has spent and the model it fell back to; it may have a summary again, which must fit if one was tried', () => {
    const carried = carry({ ...ended.context, summaryTries: 2 }, false);
    const context = initialContext({ limits: LIMITS, carried });
    expect(context.summaryTries).toBe(2);
    expect(context).toMatchObject({ usage, costUsd: 0.5, counters: { ...counters, summaries: 0 } });
    expect(context).toMatchObject({ nudges: 0, rounds: [], stop: null, reply: null, pending: null });
    expect(jobInput.askModel({ context }).fallback).toBe(true);
  });
});

describe('the loop without its jobs', () => {
  it('takes the same way, and starts nothing: records say what the jobs did', () => {
    const actor = createActor(joblessLoop, { input: { limits: BUDGETS } }).start();
    const ways = [
      measured({ turn: 1, attempt: 1 }, SMALL),
      replied({ turn: 1, attempt: 1 }, CALLS),
      saved('reply.received'),
      { type: 'calls.reviewed', turn: 1, verdicts: [verdict('a', 'approve'), verdict('b', 'refuse')] },
      CANCEL,
    ] as const;
    const states = ways.map((event) => {
      actor.send(event);
      const { value, children } = actor.getSnapshot();
      expect(children).toEqual({});
      return stateName(value);
    });
    expect(states).toEqual([
      'asking.requesting',
      'persisting.response',
      'validating.reviewing',
      'executing.running',
      'executing.stopping',
    ]);
  });
});
