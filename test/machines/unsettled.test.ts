import { describe, expect, it } from 'vitest';
import { addUsd } from '../../machines/budget.ts';
import type { AttemptFailure } from '../../machines/events.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { stateName } from '../../machines/state-name.ts';
import { at, BUDGETS, EXPIRE, failed, measured } from './given.ts';
import { step } from './step.ts';

const FORECAST = { inputTokens: 1_000, inputUsd: 0.0001, outputUsd: 0.001 };
const ASKED = { forecast: FORECAST, allowance: { tokens: 100, by: null } } as const;
const WORST = { tokens: 1_100, costUsd: 0.2 };
const FIRST = { turn: 1, attempt: 1 };

const behind = (failure: Partial<AttemptFailure>, before: object = ASKED) =>
  step(at('asking.requesting', before), failed(FIRST, failure)).next.context;

describe('a request whose reply broke off', () => {
  it('counts against the budgets with all that it was allowed, and not as spent', () => {
    const { unsettled, usage, costUsd } = behind({ unsettled: true });
    expect({ unsettled, usage, costUsd }).toEqual({ unsettled: WORST, usage: NO_USAGE, costUsd: 0 });
  });

  it('counts beyond what the service had said of it, which is spent', () => {
    const usage = { ...NO_USAGE, input: 900, output: 1 };
    const { unsettled, costUsd } = behind({ unsettled: true, usage, costUsd: 0.091 });
    expect(unsettled).toEqual({ tokens: WORST.tokens - 901, costUsd: addUsd(WORST.costUsd, -0.091) });
    expect(costUsd).toBe(0.091);
  });

  it('counts nothing where the service has charged more than was foreseen', () => {
    const usage = { ...NO_USAGE, input: 9_000 };
    expect(behind({ unsettled: true, usage, costUsd: 9 }).unsettled).toEqual({ tokens: 0, costUsd: 0 });
  });

  it('adds to those before it', () => {
    const unsettled = { tokens: 5, costUsd: 0.5 };
    expect(behind({ unsettled: true }, { ...ASKED, unsettled }).unsettled).toEqual({
      tokens: 1_105,
      costUsd: 0.7,
    });
  });

  it.each<[string, Partial<AttemptFailure>, object]>([
    ['that was answered with an error is settled', { kind: 'http' }, ASKED],
    ['of a run that measures nothing has no worst case', { unsettled: true }, {}],
  ])('%s', (_, failure, before) => {
    expect(behind(failure, before).unsettled).toEqual({ tokens: 0, costUsd: 0 });
  });
});

describe('behind requests that nobody knows the end of', () => {
  it('the next one gets what they leave of a budget', () => {
    const limits = { ...BUDGETS, tokenBudget: null, maxCostUsd: 1, summary: false };
    const unsettled = { tokens: 0, costUsd: 0.85 };
    const { next } = step(
      at('asking.measuring', { limits, unsettled, maxOutputTokens: 1_000 }),
      measured(FIRST, FORECAST),
    );
    expect(stateName(next.value)).toBe('persisting.closing');
    expect(next.context.stop).toEqual({ status: 'cost_budget' });
  });

  it('a summary is asked for only if it fits beside them', () => {
    const stopped = step(
      at('asking.requesting', { ...ASKED, limits: { ...BUDGETS, maxCostUsd: 0.3 } }),
      EXPIRE,
    ).next;
    expect(stopped.context.unsettled).toEqual(WORST);
    const summary = { ...stopped.context, stop: { status: 'time_limit' }, pending: null } as const;
    const { next } = step(at('finishing.measuring', summary), measured(FIRST, FORECAST));
    expect(next.value).toBe('time_limit');
  });
});
