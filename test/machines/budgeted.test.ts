import { describe, expect, it } from 'vitest';
import { initialTransition } from 'xstate';
import type { Limits } from '../../machines/limits.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { stateName } from '../../machines/state-name.ts';
import {
  ANSWER,
  at,
  BUDGETS,
  CANCELLED,
  failed,
  judged,
  LARGE,
  LIMITS,
  measured,
  message,
  resumed,
  text,
} from './given.ts';
import { step } from './step.ts';

describe('a budget', () => {
  it.each<[string, Partial<Limits>, string]>([
    ['of tokens', { tokenBudget: 10_000 }, 'measuring'],
    ['of money', { maxCostUsd: 1 }, 'measuring'],
    ['of both', { tokenBudget: 10_000, maxCostUsd: 1 }, 'measuring'],
    ['of neither', {}, 'requesting'],
  ])('%s: a run begins with %j in %s', (_, changes, state) => {
    const [snapshot] = initialTransition(loopMachine, { limits: { ...LIMITS, ...changes } });
    expect(snapshot.value).toEqual({ asking: state });
  });

  it('that is too small for any request is passed by the first one, which says little', () => {
    const limits = { ...LIMITS, tokenBudget: 1, maxOutputTokens: 5_000, outputCeiling: 5_000 };
    const before = at('asking.measuring', { limits, maxOutputTokens: 5_000 });
    const { next } = step(before, measured({ turn: 1, attempt: 1 }, LARGE));
    expect(stateName(next.value)).toBe('asking.requesting');
    expect(next.context.allowance).toEqual({ tokens: 1_024, by: 'token_budget' });
  });

  it.each([
    ['the tokens', { costUsd: 0 }, 'token_budget'],
    ['the tokens, if the money is short as well', { costUsd: 0.99 }, 'token_budget'],
  ])('that a request does not fit is named: %s', (_, spent, status) => {
    const usage = { ...NO_USAGE, output: 1 };
    const before = at('asking.measuring', { limits: BUDGETS, usage, ...spent });
    const { next } = step(before, measured({ turn: 1, attempt: 1 }, LARGE));
    expect(next.context.stop).toEqual({ status });
  });

  it('counts what a failed request has cost', () => {
    const usage = { ...NO_USAGE, input: 400, output: 20 };
    const { next } = step(
      at('asking.requesting', { usage: { ...NO_USAGE, input: 1 }, costUsd: 0.25 }),
      failed({ turn: 1, attempt: 1 }, { usage, costUsd: 0.5 }),
    );
    expect(next.context.usage).toEqual({ ...NO_USAGE, input: 401, output: 20 });
    expect(next.context.costUsd).toBe(0.75);
  });
});

describe('a reply that a budget cut', () => {
  const cut = message('max_tokens', [text('and')]);
  const allowance = { tokens: 50, by: 'token_budget' as const };

  it('does not turn a cancel into a limit: a person who wants to leave gets no summary', () => {
    const { value, context } = judged(cut, { allowance, stop: CANCELLED });
    expect(stateName(value)).toBe('persisting.closing');
    expect(context.pending).toMatchObject({ stop: CANCELLED, notice: null });
  });

  it('has had its attempt: under a higher budget the next one follows', () => {
    const closing = judged(cut, { allowance, limits: BUDGETS });
    const { next } = step(closing, resumed({ tokenBudget: null, maxCostUsd: null }));
    expect(stateName(next.value)).toBe('asking.requesting');
    expect(next.context).toMatchObject({ turn: 1, attempt: 2, stop: null });
  });

  it('and that had all the room it wanted is asked again with more', () => {
    const { value, context } = judged(cut, { allowance: { tokens: 100, by: null } });
    expect(stateName(value)).toBe('asking.requesting');
    expect(context.maxOutputTokens).toBe(200);
  });

  it('is judged by what it is: a whole one that was short of room is an answer', () => {
    expect(judged(ANSWER, { allowance }).value).toBe('answered');
  });
});
