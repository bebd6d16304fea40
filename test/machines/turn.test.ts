import { describe, expect, it } from 'vitest';
import { CLOSING_STATUSES } from '../../machines/status.ts';
import {
  advance,
  applyVerdicts,
  type Call,
  closeCalls,
  isSettled,
  roundOf,
  summaryNotice,
} from '../../machines/turn.ts';
import { call, verdict } from './given.ts';

describe('verdicts', () => {
  const planned = [call('a', 'planned'), call('b', 'planned'), call('c', 'planned')];

  it('are bound to their calls by id, whatever their order', () => {
    const verdicts = [verdict('c', 'refuse'), verdict('a', 'ask'), verdict('b', 'approve')];
    expect(applyVerdicts(planned, verdicts)).toEqual([
      call('a', 'waiting'),
      call('b', 'approved'),
      call('c', 'refused'),
    ]);
  });

  it('must be there for every call: one without would be neither run nor answered', () => {
    expect(() => applyVerdicts(planned, [verdict('a', 'approve'), verdict('c', 'ask')])).toThrow(
      'the review has no verdict on the call b',
    );
  });

  it('about unknown calls change nothing', () => {
    expect(applyVerdicts([call('a', 'planned')], [verdict('a', 'ask'), verdict('x', 'approve')])).toEqual([
      call('a', 'waiting'),
    ]);
  });
});

describe('progress of a call', () => {
  const calls = [call('a', 'waiting'), call('b', 'approved'), call('c', 'refused'), call('d', 'planned')];

  it('moves the one call that is meant, if it stands where the step begins', () => {
    expect(advance(calls, 'a', ['waiting'], 'approved')).toEqual([call('a', 'approved'), ...calls.slice(1)]);
    expect(advance(calls, 'a', ['waiting'], 'refused')).toEqual([call('a', 'refused'), ...calls.slice(1)]);
  });

  it.each(['b', 'c', 'd', 'x'])('does not move call %s, which does not wait', (id) => {
    expect(advance(calls, id, ['waiting'], 'approved')).toEqual(calls);
  });

  it('takes over the fingerprint of the outcome, and keeps the one of the question until then', () => {
    const [, started] = advance(calls, 'b', ['approved'], 'started');
    expect(started).toEqual(call('b', 'started'));
    const [finished] = advance([started as Call], 'b', ['started'], 'finished', 'b done');
    expect(finished).toEqual({ ...call('b', 'finished'), fingerprint: 'b done' });
  });

  it.each([
    ['planned', false],
    ['waiting', false],
    ['approved', false],
    ['started', false],
    ['refused', true],
    ['finished', true],
  ] as const)('%s is settled: %s', (progress, expected) => {
    expect(isSettled(call('a', progress))).toBe(expected);
  });

  it('makes a round, by which repetition is seen: what was asked for, and where it ran, what came of it', () => {
    expect(roundOf([call('a', 'finished'), call('c', 'refused')])).toBe('a asked c asked');
  });

  it.each(['planned', 'waiting', 'approved', 'started'] as const)(
    'makes no round of a call that is %s',
    (progress) => {
      expect(() => roundOf([call('a', 'finished'), call('b', progress)])).toThrow('b has no outcome');
    },
  );
});

describe('closing', () => {
  it('answers the calls that have no answer, in call order, and says why they did not run', () => {
    const calls = [call('a', 'finished'), call('b', 'approved'), call('c', 'refused'), call('d', 'waiting')];
    expect(closeCalls(calls, { status: 'token_budget' })).toEqual([
      { callId: 'b', content: 'Not executed: the token budget of this run is used up.' },
      { callId: 'd', content: 'Not executed: the token budget of this run is used up.' },
    ]);
  });

  it('does not claim of a started call that it was not executed', () => {
    expect(closeCalls([call('a', 'started')], { status: 'cancelled', signal: 'SIGINT' })).toEqual([
      {
        callId: 'a',
        content:
          'Started, outcome unknown: the person cancelled the run. Check the state of things before repeating it.',
      },
    ]);
  });

  it.each(CLOSING_STATUSES)('gives a reason of its own for %s', (status) => {
    const reasons = CLOSING_STATUSES.map(
      (one) => closeCalls([call('a', 'planned')], { status: one })[0]?.content,
    );
    const [closed] = closeCalls([call('a', 'planned')], { status });
    expect(reasons.filter((reason) => reason === closed?.content)).toHaveLength(1);
  });

  it('opens the summary turn with the reason, as a sentence', () => {
    expect(summaryNotice({ status: 'max_turns' })).toMatch(
      /^The turn limit of this run is reached\. Tools are switched off from here on\. Answer now/,
    );
  });
});
