import { describe, expect, it } from 'vitest';
import { NOTHING_UNSETTLED } from '../../machines/budget.ts';
import { DEFAULT_LIMITS, isLifted, type Limits, NO_COUNTERS } from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import type { ClosingStatus } from '../../machines/status.ts';

describe('a limit is lifted by limits that no longer reach it, and by nothing else', () => {
  const tight: Limits = { ...DEFAULT_LIMITS, maxTurns: 3, tokenBudget: 100, maxCostUsd: 2, maxToolCalls: 5 };
  const spent = {
    limits: tight,
    counters: { ...NO_COUNTERS, turns: 3, toolCalls: 4 },
    usage: { ...NO_USAGE, output: 100 },
    costUsd: 2,
    unsettled: NOTHING_UNSETTLED,
  };
  it.each<[ClosingStatus, Partial<Limits>, boolean]>([
    ['max_turns', {}, false],
    ['max_turns', { maxTurns: 4 }, true],
    ['max_turns', { tokenBudget: null, maxCostUsd: null, maxToolCalls: null }, false],
    ['token_budget', {}, false],
    ['token_budget', { tokenBudget: 101 }, true],
    ['token_budget', { tokenBudget: null }, true],
    ['cost_budget', {}, false],
    ['cost_budget', { maxCostUsd: 2.5 }, true],
    ['max_tool_calls', {}, false],
    ['max_tool_calls', { maxToolCalls: 6 }, true],
    ['max_tool_calls', { maxToolCalls: null }, true],
    ['time_limit', { maxTurns: 99 }, false],
    ['stuck', { maxRepeats: null }, false],
    ['cancelled', { maxTurns: 99 }, false],
  ])('%s under %j: %s', (status, changes, lifted) => {
    expect(isLifted({ ...tight, ...changes }, { status }, spent)).toBe(lifted);
  });

  it.each<[ClosingStatus, Partial<Limits>, boolean]>([
    ['token_budget', {}, false],
    ['token_budget', { maxCostUsd: null }, false],
    ['token_budget', { tokenBudget: 101 }, true],
    ['token_budget', { tokenBudget: null }, true],
    ['token_budget', { tokenBudget: 99 }, false],
    ['cost_budget', {}, false],
    ['cost_budget', { tokenBudget: null }, false],
    ['cost_budget', { maxCostUsd: 2.5 }, true],
    ['cost_budget', { maxCostUsd: null }, true],
    ['cost_budget', { maxCostUsd: 1.5 }, false],
  ])('%s that held back what would not have fitted, under %j: %s', (status, changes, lifted) => {
    const unused = { ...spent, usage: NO_USAGE, costUsd: 0 };
    expect(isLifted({ ...tight, ...changes }, { status }, unused)).toBe(lifted);
  });

  it('a limit that was taken away once, and is set again, is lower than none', () => {
    const free = { ...spent, limits: { ...tight, maxToolCalls: null } };
    expect(isLifted({ ...tight, maxToolCalls: 99 }, { status: 'max_tool_calls' }, free)).toBe(false);
  });
});
