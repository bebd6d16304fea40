import type { LoopContext } from '../../../machines/context.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import type { AssistantMessage } from '../../../machines/protocol.ts';
import { stateName } from '../../../machines/state-name.ts';
import { isSettled, type Verdict } from '../../../machines/turn.ts';
import {
  CANCEL,
  EXPIRE,
  failed,
  type LoopSnapshot,
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
  /** What a call may come to. */
  readonly outcomes: readonly string[];
  /** Whether requests may fail, and replies may be of other kinds than answers and calls. */
  readonly isRough: boolean;
}

/** All that may happen in a state, as far as the state listens to it. */
export function eventsIn({ value, context }: LoopSnapshot, world: World): LoopEvent[] {
  const { turn, attempt, pending, calls } = context;
  const outside = [CANCEL, EXPIRE, UNSAVED];
  switch (stateName(value)) {
    case 'asking.requesting':
    case 'finishing':
      return [...outside, ...repliesIn(context, world), ...(world.isRough ? failuresIn(context) : [])];
    case 'backingOff':
      return [...outside, { type: 'wait.elapsed', turn, attempt }];
    case 'persisting.response':
    case 'persisting.results':
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
    case 'awaitingApproval':
      return [
        ...outside,
        ...calls.flatMap(({ id: callId }) => [
          { type: 'approval.granted' as const, turn, callId },
          { type: 'approval.denied' as const, turn, callId },
        ]),
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

function repliesIn(context: LoopContext, { calls, prices, isRough }: World): LoopEvent[] {
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
    prices.map(({ tokens, costUsd }) =>
      replied(context, { ...reply, usage: { output_tokens: tokens } }, costUsd),
    );
  return (isRough ? [...whole, ...odd] : whole).flatMap(priced);
}

const failuresIn = (context: LoopContext): LoopEvent[] => [
  failed(context),
  failed(context, { kind: 'idle', retryable: false }),
  failed(context, { kind: 'context', retryable: false }),
];

function verdictMixes([first, ...rest]: readonly string[]): Verdict[][] {
  if (first === undefined) return [[]];
  const words = ['approve', 'ask', 'refuse'] as const;
  return verdictMixes(rest).flatMap((mix) => words.map((word) => [verdict(first, word), ...mix]));
}
