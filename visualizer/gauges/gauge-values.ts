/** What has been used up, each against its cap. Pure. */
import { type Budget, summaryReserve } from '../../machines/budget.ts';
import { totalTokens } from '../../machines/reply.ts';
import type { Frame } from '../film/film.ts';
import { counted, duration, figure, short, usd } from '../parts/format.ts';

export interface Part {
  readonly name: string;
  readonly value: number;
}

export interface Gauge {
  readonly name: string;
  readonly text: string;
  /** null: there is no cap. */
  readonly cap: number | null;
  readonly parts: readonly Part[];
  /** Kept back for the summary. */
  readonly reserve: number;
  readonly note: string;
}

/** @param startedAt when the process began that works on the run */
export function gaugesOf({ context, at }: Frame, startedAt: number): Gauge[] {
  const { counters, limits, usage, costUsd } = context;
  const elapsed = Math.max(0, at - startedAt);
  const reserveOf = (by: Budget) =>
    context.forecast === null ? 0 : summaryReserve(by, context, context.forecast);
  const tokens = totalTokens(usage);
  const [tokensKept, moneyKept] = [reserveOf('token_budget'), reserveOf('cost_budget')];
  return [
    {
      name: 'Turns',
      text: `${figure(counters.turns)} of ${figure(limits.maxTurns)}`,
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
      text: limits.tokenBudget === null ? short(tokens) : `${short(tokens)} of ${short(limits.tokenBudget)}`,
      cap: limits.tokenBudget,
      parts: [
        { name: 'input', value: usage.input },
        { name: 'cache write', value: usage.cacheWrite },
        { name: 'cache read', value: usage.cacheRead },
        { name: 'output', value: usage.output },
      ],
      reserve: tokensKept,
      note: tokensKept > 0 ? `${short(tokensKept)} kept for the summary` : 'input · cache · output',
    },
    {
      name: 'Money',
      text: limits.maxCostUsd === null ? usd(costUsd) : `${usd(costUsd)} of ${usd(limits.maxCostUsd)}`,
      cap: limits.maxCostUsd,
      parts: [{ name: 'spent', value: costUsd }],
      reserve: moneyKept,
      note:
        moneyKept > 0
          ? `${usd(moneyKept)} kept for the summary`
          : costUsd === 0
            ? 'no price known'
            : 'at list price',
    },
    {
      name: 'Time',
      text:
        limits.timeoutMs === null
          ? duration(elapsed)
          : `${duration(elapsed)} of ${duration(limits.timeoutMs)}`,
      cap: limits.timeoutMs,
      parts: [{ name: 'elapsed', value: elapsed }],
      reserve: 0,
      note: limits.timeoutMs === null ? 'no limit' : 'of this process',
    },
  ];
}

/** When the process began that works on the run as of a frame: each that takes it up has its time anew. */
export function startedAt(frames: readonly Frame[], index: number): number {
  for (let at = index; at > 0; at -= 1)
    if (frames[at]?.record?.type === 'run.resumed') return frames[at]?.at ?? 0;
  return frames[0]?.at ?? 0;
}
