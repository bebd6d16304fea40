import type { Forecast } from '../../../machines/budget.ts';
import { held, jobInput, type LoopContext } from '../../../machines/context.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import type { AssistantMessage } from '../../../machines/protocol.ts';
import { usageOf } from '../../../machines/reply.ts';
import { stateName } from '../../../machines/state-name.ts';
import { isSettled, type Verdict } from '../../../machines/turn.ts';
import {
  CANCEL,
  EXPIRE,
  failed,
  type LoopSnapshot,
  measured,
  message,
  replied,
  saved,
  text,
  toolUse,
  UNSAVED,
  verdict,
} from '../given.ts';

/** How much of the world a search sees. Every word that is added multiplies the number of paths. */
export interface World {
  /** Numbers of calls that a reply may make. */
  readonly calls: readonly number[];
  /** Tokens and dollars that a reply may cost. */
  readonly prices: readonly { readonly tokens: number; readonly costUsd: number }[];
  /** Where it is measured: what a request may turn out to be. With a window, each of them counted or estimated. */
  readonly forecasts: readonly Forecast[];
  /** Instead of `prices`: requests cost the least or the most that was foreseen and allowed. */
  readonly isAsForeseen: boolean;
  /** What a call may come to. */
  readonly outcomes: readonly string[];
  /** Whether requests may fail, and replies may be of other kinds than answers and calls. */
  readonly isRough: boolean;
}

/** Nothing costs anything, and nothing goes wrong. */
export const SMOOTH: World = {
  calls: [1, 2],
  prices: [{ tokens: 0, costUsd: 0 }],
  forecasts: [],
  isAsForeseen: false,
  outcomes: ['same'],
  isRough: false,
};
export const ROUGH: World = { ...SMOOTH, isRough: true };

/** All that may happen in a state, as far as the state listens to it. */
export function eventsIn({ value, context }: LoopSnapshot, world: World): LoopEvent[] {
  const { turn, attempt, pending, calls } = context;
  const outside = [CANCEL, EXPIRE, UNSAVED];
  switch (stateName(value)) {
    case 'asking.measuring':
    case 'finishing.measuring':
      return [
        ...outside,
        ...world.forecasts.map((forecast) => measured(context, forecast)),
        ...(context.limits.contextWindow === null
          ? []
          : world.forecasts.map((forecast) => measured(context, forecast, false))),
      ];
    case 'asking.requesting':
    case 'finishing.requesting':
      return [...outside, ...repliesIn(context, world), ...(world.isRough ? failuresIn(context, world) : [])];
    case 'backingOff':
      return [...outside, { type: 'wait.elapsed', turn, attempt }];
    case 'persisting.response':
    case 'persisting.results':
    case 'persisting.nudge':
    case 'persisting.closing':
    case 'persisting.summary':
      return [...outside, ...(pending ? [saved(pending.type, turn)] : [])];
    case 'validating.reviewing':
      return [
        ...outside,
        ...verdictMixes(calls.map(({ id }) => id)).map((verdicts) => ({
          type: 'calls.reviewed' as const,
          turn,
          verdicts,
        })),
      ];
    case 'awaitingApproval.asking':
    case 'awaitingApproval.suspended':
      return [
        ...outside,
        ...calls.flatMap(({ id: callId }) => [
          { type: 'approval.granted' as const, turn, callId },
          { type: 'approval.denied' as const, turn, callId },
        ]),
        { type: 'approvals.postponed' as const, turn },
      ];
    case 'executing.running':
    case 'executing.stopping':
      return [
        ...outside,
        // While calls run, the job reports only when each has its outcome; told to stop, it reports as it stands.
        ...(stateName(value) === 'executing.stopping' || calls.every(isSettled)
          ? [{ type: 'calls.finished' as const, turn }]
          : []),
        ...calls.flatMap(({ id: callId }) => [
          { type: 'tool.started' as const, turn, callId },
          ...world.outcomes.map((fingerprint) => ({
            type: 'tool.finished' as const,
            turn,
            callId,
            fingerprint,
          })),
        ]),
      ];
    default:
      return [];
  }
}

/** The same events as they would come from an earlier turn. */
export const staleEvents = (events: readonly LoopEvent[]): LoopEvent[] =>
  events.flatMap((event) => ('turn' in event ? [{ ...event, turn: event.turn - 1 }] : []));

/** The cost of a request in tokens and dollars: given by the world, or the least and the most that was foreseen. */
function costsIn(context: LoopContext, { prices, isAsForeseen }: World) {
  if (!isAsForeseen)
    return prices.map(({ tokens, costUsd }) => ({ usage: { output_tokens: tokens }, costUsd }));
  const { inputTokens, inputUsd, outputUsd } = held(context.forecast, 'forecast');
  const { maxOutputTokens } = (context.stop ? jobInput.askForSummary : jobInput.askModel)({ context });
  return [1, maxOutputTokens].map((output) => ({
    usage: { input_tokens: inputTokens, output_tokens: output },
    costUsd: inputTokens * inputUsd + output * outputUsd,
  }));
}

function repliesIn(context: LoopContext, world: World): LoopEvent[] {
  const { calls, isRough } = world;
  const { turn, attempt } = context;
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `${turn}.${attempt}.${index}`);
  const whole = [
    message('end_turn', [text('done')]),
    ...calls.map((count) =>
      message(
        'tool_use',
        ids(count).map((id) => toolUse(id)),
      ),
    ),
  ];
  const partial = ids(1).map((id) => toolUse(id));
  const odd = [
    message('refusal', partial),
    message('model_context_window_exceeded', partial),
    message('max_tokens', partial),
    message('pause_turn', [text('searching')]),
    message('end_turn', []),
    message('end_turn', partial),
    message('something_new', partial),
  ];
  const priced = (reply: AssistantMessage) =>
    costsIn(context, world).map(({ usage, costUsd }) => replied(context, { ...reply, usage }, costUsd));
  return (isRough ? [...whole, ...odd] : whole).flatMap(priced);
}

/** A failure may come after the work was done, and then it costs what a reply would have. */
const failuresIn = (context: LoopContext, world: World): LoopEvent[] => [
  failed(context),
  ...(world.isAsForeseen ? costsIn(context, world).slice(1) : []).map(({ usage, costUsd }) =>
    failed(context, { usage: usageOf({ content: [], stop_reason: null, usage }), costUsd }),
  ),
  failed(context, { kind: 'idle', retryable: false }),
  failed(context, { kind: 'context', retryable: false }),
];

function verdictMixes([first, ...rest]: readonly string[]): Verdict[][] {
  if (first === undefined) return [[]];
  const words = ['approve', 'ask', 'refuse'] as const;
  return verdictMixes(rest).flatMap((mix) => words.map((word) => [verdict(first, word), ...mix]));
}
