/** What a guard looked at, in figures: "4 of 4 turns". */
import { type LoopContext, roomForResults } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { guards } from '../../machines/guards.ts';
import { repetitions } from '../../machines/limits.ts';
import { totalTokens } from '../../machines/reply.ts';
import { windowOf } from '../../machines/window.ts';
import { figure, usd } from '../parts/format.ts';

interface Scene {
  readonly context: LoopContext;
  readonly event: LoopEvent;
}

/** @param limit null: there is none */
const outOf = (value: number, limit: number | null, unit: string): string =>
  limit === null ? `${figure(value)} ${unit}, no limit` : `${figure(value)} of ${figure(limit)} ${unit}`;

/** Beside what is known, where a request was lost. */
const orMore = (most: number, text: string): string => (most > 0 ? `, or up to ${text} more` : '');
const tokens = ({ context: { usage, limits, unsettled } }: Scene) =>
  outOf(totalTokens(usage), limits.tokenBudget, 'tokens') +
  orMore(unsettled.tokens, figure(unsettled.tokens));
const money = ({ context: { costUsd, limits, unsettled } }: Scene) =>
  `${usd(costUsd)}${limits.maxCostUsd === null ? ', no limit' : ` of ${usd(limits.maxCostUsd)}`}` +
  orMore(unsettled.costUsd, usd(unsettled.costUsd));
const contextWindow = ({ context }: Scene) => {
  const window = windowOf(context);
  return window === null ? 'window unknown' : `window of ${figure(window)} tokens`;
};
const kind = ({ context: { reply } }: Scene) => (reply ? `the reply is: ${reply.kind}` : 'no reply');
const stop = ({ context }: Scene) => `stop reason: ${context.stop?.status ?? 'none'}`;
const decided = ({ context: { calls } }: Scene) => {
  const waiting = calls.filter(({ progress }) => progress === 'waiting').length;
  return outOf(calls.length - waiting, calls.length, 'calls decided');
};
const verdicts = ({ event }: Scene) =>
  event.type === 'calls.reviewed' ? event.verdicts.map(({ verdict }) => verdict).join(', ') : '';
const retry = ({ context: { failures, limits }, event }: Scene) =>
  event.type === 'model.failed'
    ? `${event.failure.retryable ? 'worth it' : 'not worth it'}; ${outOf(failures, limits.maxRetries, 'retries')}`
    : '';
const place = ({ context, event }: Scene) => {
  if (!('turn' in event)) return '';
  const attempt = 'attempt' in event ? `, attempt ${event.attempt} of ${context.attempt}` : '';
  return `turn ${event.turn} of ${context.turn}${attempt}`;
};
const forecast = ({ event }: Scene) =>
  event.type === 'prompt.measured' ? `input of ${figure(event.forecast.inputTokens)} tokens` : '';
const room = ({ context }: Scene) => {
  const found = roomForResults(context);
  return found ? `${figure(Math.max(0, found.bytes))} bytes for each result` : 'no budget bounds results';
};
const cut = ({ context: { allowance, maxOutputTokens } }: Scene) =>
  `${figure(allowance?.tokens ?? maxOutputTokens)} output tokens allowed${allowance?.by ? ` by ${allowance.by}` : ''}`;
const saved = ({ context, event }: Scene) =>
  event.type === 'record.saved' ? `${event.record}, awaited ${context.pending?.type ?? 'nothing'}` : '';
const summaries = ({ context: { counters, limits } }: Scene) =>
  limits.summary ? `${counters.summaries} of 1 summary` : 'no summary wanted';
const calls = ({ context }: Scene) => outOf(context.calls.length, null, 'calls').replace(', no limit', '');
const both = (one: (scene: Scene) => string, other: (scene: Scene) => string) => (scene: Scene) =>
  `${one(scene)}; ${other(scene)}`;

const FACTS: { readonly [Name in keyof typeof guards]: (scene: Scene) => string } = {
  isCurrent: place,
  isWorthAnotherTry: retry,
  isWorthAnotherSummary: both(retry, stop),
  isOutOfContext: ({ event }) => (event.type === 'model.failed' ? `failure: ${event.failure.kind}` : ''),
  isConcluding: stop,
  isStopping: stop,
  isNotStopping: stop,
  isCancelled: stop,
  isNotCancelled: stop,
  isStoppedBy: stop,
  isOutOfTurns: ({ context: { counters, limits } }) => outOf(counters.turns, limits.maxTurns, 'turns'),
  isOutOfTokens: tokens,
  isOutOfMoney: money,
  needsMeasure: both(both(tokens, money), contextWindow),
  isPastWindow: both(forecast, contextWindow),
  isTooDear: both(money, forecast),
  isTooLarge: both(tokens, forecast),
  isSummaryTooDear: both(both(money, tokens), forecast),
  isShortOfTokens: room,
  isShortOfMoney: room,
  isOutOfToolCalls: ({ context: { counters, limits, calls: asked } }) =>
    outOf(counters.toolCalls + asked.length, limits.maxToolCalls, 'calls'),
  isStuck: ({ context: { rounds, limits } }) => outOf(repetitions(rounds), limits.maxRepeats, 'equal rounds'),
  isContradiction: kind,
  isRefusal: kind,
  isContextExhausted: kind,
  isTruncated: kind,
  isAnswer: kind,
  isCutByTokens: both(kind, cut),
  isCutByMoney: both(kind, cut),
  isCutByWindow: both(kind, contextWindow),
  canGrowOutput: both(kind, ({ context: { maxOutputTokens, limits } }) =>
    outOf(
      maxOutputTokens,
      Math.min(limits.outputCeiling, limits.maxOutputTokens * 2 ** limits.maxTruncations),
      'output tokens',
    ),
  ),
  canFallBack: both(kind, ({ context: { counters, limits } }) =>
    outOf(counters.fallbacks, limits.maxFallbacks, 'fallbacks'),
  ),
  canNudge: both(kind, ({ context: { nudges } }) => outOf(nudges, 1, 'nudges')),
  canResumePause: both(kind, ({ context: { pauses, limits } }) => outOf(pauses, limits.maxPauses, 'pauses')),
  hasNoCalls: calls,
  isBound: both(place, ({ event }) => ('callId' in event ? event.callId : '')),
  needsApproval: verdicts,
  hasApproved: verdicts,
  isDecided: decided,
  isDecidedWithApproved: decided,
  isLifted: stop,
  isLiftedBeforeCalls: both(stop, calls),
  isSaved: saved,
  isCancelledMeanwhile: both(saved, stop),
  owesSummary: both(saved, summaries),
  hasOpenCalls: both(saved, calls),
};

export const factOf = (name: keyof typeof guards, scene: Scene): string => FACTS[name](scene).trim();
