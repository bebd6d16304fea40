import { describe, expect, it } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { stateName } from '../../machines/state-name.ts';
import type { Stop } from '../../machines/status.ts';
import {
  at,
  BUDGETS,
  call,
  EXPIRE,
  failed,
  LIMITS,
  measured,
  message,
  OUT_OF_TIME,
  OUT_OF_TURNS,
  replied,
  resumed,
  SMALL,
  saved,
  text,
} from './given.ts';
import { step } from './step.ts';

describe('a summary turn behind a pause', () => {
  const paused = { pauses: 1, reply: null, calls: [] };
  const noticeOf = (before: object) => {
    const { pending } = step(at('asking.requesting', before), EXPIRE).next.context;
    return pending?.type === 'run.closing' ? pending.notice : undefined;
  };

  it('gets no user message: one between a pause and its continuation is refused', () => {
    expect(noticeOf(paused)).toBeNull();
  });

  it('gets none after a try of the continuation that was cut, either: a cut reply is not in the history', () => {
    const snapshot = at('persisting.response', {
      limits: { ...LIMITS, tokenBudget: 1 },
      usage: { input: 1, cacheWrite: 0, cacheRead: 0, output: 0 },
      pauses: 1,
      reply: {
        kind: 'truncated',
        stopReason: 'max_tokens',
        calls: [],
        problems: [],
        usage: { input: 1, cacheWrite: 0, cacheRead: 0, output: 0 },
        costUsd: 0,
      },
      pending: {
        type: 'reply.received',
        turn: 1,
        attempt: 2,
        message: message('max_tokens', [text('cut')]),
        problems: [],
        costUsd: 0,
      },
    });
    expect(step(snapshot, saved('reply.received')).next.context.pending).toMatchObject({
      type: 'run.closing',
      stop: { status: 'token_budget' },
      notice: null,
    });
  });

  it('gets one once the turn has come to its calls: their results stand in between', () => {
    const snapshot = at('validating.reviewing', { pauses: 1, calls: [call('a', 'planned')] });
    expect(step(snapshot, EXPIRE).next.context.pending).toMatchObject({
      notice: expect.stringContaining('The time limit'),
    });
  });
});

describe('a limit behind a pause, once the closing is saved', () => {
  const closing = (before: object) => step(at('asking.requesting', before), EXPIRE).next;
  const pausesBehind = (before: object) => step(closing(before), saved('run.closing')).next.context.pauses;

  it('leaves the pause the end of the history, for a later limit that is reached when this one was raised', () => {
    expect(pausesBehind({ pauses: 2, reply: null, calls: [] })).toBe(2);
  });

  it('is behind the notice where the calls of the turn were answered', () => {
    expect(pausesBehind({ pauses: 2, calls: [call('a', 'planned')] })).toBe(0);
  });
});

describe('the summary of a run whose time is over', () => {
  const request = { turn: 1, attempt: 1 };
  it.each([
    ['is not tried again', OUT_OF_TIME, {}, 'time_limit'],
    ['of another run is', OUT_OF_TURNS, {}, 'backingOff'],
    ['of another run is not, if that is no use', OUT_OF_TURNS, { retryable: false }, 'max_turns'],
  ])('%s', (_, stop, failure, state) => {
    const { next } = step(at('finishing.requesting', { stop }), failed(request, failure));
    expect(stateName(next.value)).toBe(state);
  });

  it('is not tried more often than any request', () => {
    const { next } = step(at('finishing.requesting', { stop: OUT_OF_TURNS, failures: 1 }), failed(request));
    expect(stateName(next.value)).toBe('max_turns');
  });
});

describe('where the token budget is used up', () => {
  const spent = { limits: BUDGETS, usage: { input: 9_990, cacheWrite: 0, cacheRead: 0, output: 0 } };
  it.each([
    ['a summary is asked for all the same', 0, 'finishing.requesting'],
    ['it is not asked for again: each request would spend past it', 1, 'max_turns'],
  ])('%s', (_, summaryTries, state) => {
    const snapshot = at('finishing.measuring', { ...spent, stop: OUT_OF_TURNS, summaryTries });
    const { next } = step(snapshot, measured({ turn: 1, attempt: 1 }, SMALL));
    expect(stateName(next.value)).toBe(state);
  });
});

describe('a request for a summary counts as tried', () => {
  const request = { turn: 1, attempt: 1 };
  const MEASURED = { forecast: SMALL, allowance: { tokens: 100, by: null } };
  const triesAfter = (event: LoopEvent, state = 'finishing.requesting', stop: Stop | null = OUT_OF_TURNS) =>
    step(at(state, { stop, ...MEASURED }), event).next.context.summaryTries;
  const spent = { input: 1, cacheWrite: 0, cacheRead: 0, output: 0 };
  it.each([
    ['once it was answered', replied(request, message('end_turn', [text('So far.')])), 1],
    ['where its reply broke off', failed(request, { unsettled: true }), 1],
    ['where a part of it was billed', failed(request, { usage: spent, costUsd: 0 }), 1],
    ['where the process died meanwhile', resumed(LIMITS), 1],
    ['where a person gave it up', { type: 'run.cancelled', signal: 'SIGINT' } as const, 1],
    ['not where the service refused it', failed(request), 0],
  ])('%s', (_, event, tries) => {
    expect(triesAfter(event)).toBe(tries);
  });

  it('and no other request does', () => {
    expect(triesAfter(failed(request, { unsettled: true }), 'asking.requesting', null)).toBe(0);
  });
});
