/** What has been used up, each against its cap. Pure. */
import { type Budget, summaryReserve } from '../../machines/budget.ts';
import { totalTokens } from '../../machines/reply.ts';
import type { Frame } from '../film/film.ts';
import { brief, counted, figure, short, usd } from '../parts/format.ts';

export interface Part {
  readonly name: string;
  readonly value: number;
}

export interface Gauge {
  readonly name: string;
  readonly used: string;
  /** The cap in words; null: there is none. */
  readonly of: string | null;
  readonly cap: number | null;
  readonly parts: readonly Part[];
  /** What may not be spent: kept back for the summary, or perhaps taken by a request that was lost. */
  readonly reserve: number;
  readonly note: string;
}

/** @param startedAt when the process began that works on the run. @param now while it works; else the time of the frame */
export function gaugesOf({ context, at }: Frame, startedAt: number, now = at): Gauge[] {
  const { counters, limits, usage, costUsd, unsettled } = context;
  const elapsed = Math.max(0, now - startedAt);
  const reserveOf = (by: Budget) =>
    context.forecast === null ? 0 : summaryReserve(by, context, context.forecast);
  const tokens = totalTokens(usage);
  const [tokensKept, moneyKept] = [reserveOf('token_budget'), reserveOf('cost_budget')];
  // Nothing costs nothing: where tokens were used and no money, nobody knows the price.
  const isPriced = costUsd > 0 || limits.maxCostUsd !== null;
  return [
    {
      name: 'Turns',
      used: figure(counters.turns),
      of: figure(limits.maxTurns),
      cap: limits.maxTurns,
      parts: [{ name: 'turns', value: counters.turns }],
      reserve: 0,
      note: [
        limits.maxToolCalls === null
          ? counted(counters.toolCalls, 'call')
          : `${figure(counters.toolCalls)} of ${counted(limits.maxToolCalls, 'call')}`,
        counters.summaries > 0 ? 'summary made' : '',
      ]
        .filter(Boolean)
        .join(', '),
    },
    {
      name: 'Tokens',
      used: short(tokens),
      of: limits.tokenBudget === null ? null : short(limits.tokenBudget),
      cap: limits.tokenBudget,
      parts: [
        { name: 'input', value: usage.input },
        { name: 'cache write', value: usage.cacheWrite },
        { name: 'cache read', value: usage.cacheRead },
        { name: 'output', value: usage.output },
      ],
      reserve: tokensKept + unsettled.tokens,
      note: kept(tokensKept, unsettled.tokens, short) || 'no budget',
    },
    {
      name: 'Money',
      used: isPriced ? usd(costUsd) : 'unknown',
      of: limits.maxCostUsd === null ? null : usd(limits.maxCostUsd),
      cap: limits.maxCostUsd,
      parts: [{ name: 'spent', value: costUsd }],
      reserve: moneyKept + unsettled.costUsd,
      note: isPriced
        ? kept(moneyKept, unsettled.costUsd, usd) || 'at list price'
        : 'no price known: tokens are counted',
    },
    {
      name: 'Time',
      used: brief(elapsed),
      of: limits.timeoutMs === null ? null : brief(limits.timeoutMs),
      cap: limits.timeoutMs,
      parts: [{ name: 'elapsed', value: elapsed }],
      reserve: 0,
      note: limits.timeoutMs === null ? 'of its last process, no limit' : 'of its last process',
    },
  ];
}

const kept = (forSummary: number, forLost: number, inWords: (amount: number) => string): string =>
  [
    forSummary > 0 ? `${inWords(forSummary)} kept for the summary` : '',
    forLost > 0 ? `up to ${inWords(forLost)} more for replies that broke off` : '',
  ]
    .filter(Boolean)
    .join(', ');
