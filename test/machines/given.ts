/** Replies, calls, contexts and snapshots for the tests of the machine. */
import { createActor, type SnapshotFrom, type StateValue, transition } from 'xstate';
import type { Forecast } from '../../machines/budget.ts';
import { initialContext, type LoopContext } from '../../machines/context.ts';
import type { AttemptFailure, LoopEvent, PendingRecord } from '../../machines/events.ts';
import { DEFAULT_LIMITS, type Limits } from '../../machines/limits.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import type { AssistantMessage, ContentBlock, Reply } from '../../machines/protocol.ts';
import { digestReply } from '../../machines/reply.ts';
import { resumable } from '../../machines/resume.ts';
import type { Stop } from '../../machines/status.ts';
import { type Call, NUDGE, type Verdict } from '../../machines/turn.ts';

export type LoopSnapshot = SnapshotFrom<typeof loopMachine>;

export const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  maxTurns: 2,
  maxRetries: 1,
  maxPauses: 1,
  maxTruncations: 1,
  maxOutputTokens: 100,
  outputCeiling: 200,
};

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
export const toolUse = (id: unknown, name: unknown = 'read_file'): ContentBlock => ({
  type: 'tool_use',
  id,
  name,
  input: {},
});

export const message = (
  stop_reason: string | null,
  content: readonly ContentBlock[],
  tokens = 0,
): AssistantMessage => ({ stop_reason, content, usage: { output_tokens: tokens } });

export const replied = (
  { turn, attempt }: Pick<LoopContext, 'turn' | 'attempt'>,
  reply: AssistantMessage,
  costUsd = 0,
): LoopEvent => ({
  type: 'model.replied',
  turn,
  attempt,
  message: reply,
  reply: digestReply(reply, new Set(), costUsd),
});

export const FAILURE: AttemptFailure = {
  kind: 'http',
  message: 'overloaded',
  status: 529,
  retryable: true,
  delayMs: 500,
};

export const failed = (
  { turn, attempt }: Pick<LoopContext, 'turn' | 'attempt'>,
  failure: Partial<AttemptFailure> = {},
): LoopEvent => ({ type: 'model.failed', turn, attempt, failure: { ...FAILURE, ...failure } });

/** Under a budget of 10 000 tokens and a dollar, with replies of at most 100 tokens: one that fits, and two that do not. */
export const BUDGETS: Limits = { ...LIMITS, tokenBudget: 10_000, maxCostUsd: 1 };
export const SMALL: Forecast = { inputTokens: 100, inputUsd: 0.00001, outputUsd: 0.00005 };
export const LARGE: Forecast = { ...SMALL, inputTokens: 5_000 };
/** With a window of 10 000 tokens: a prompt that fills it. */
export const WINDOW: Limits = { ...LIMITS, contextWindow: 10_000 };
export const FULL: Forecast = { ...SMALL, inputTokens: 9_950 };
export const DEAR: Forecast = { inputTokens: 100, inputUsd: 0.001, outputUsd: 0.005 };

export const measured = (
  { turn, attempt }: Pick<LoopContext, 'turn' | 'attempt'>,
  forecast: Forecast,
  isExact = true,
): LoopEvent => ({ type: 'prompt.measured', turn, attempt, forecast, isExact });

export function call(id: string, progress: Call['progress']): Call {
  if (progress === 'planned') return { id, name: 'read_file', progress };
  if (progress === 'refused') return { id, name: 'read_file', progress, fingerprint: `${id} asked` };
  return { id, name: 'read_file', progress, effect: 'read', fingerprint: `${id} asked` };
}

export const verdict = (callId: string, word: Verdict['verdict']): Verdict =>
  word === 'refuse'
    ? { callId, verdict: word, reason: 'no such tool', fingerprint: `${callId} asked` }
    : { callId, verdict: word, effect: 'read', fingerprint: `${callId} asked` };

export const ANSWER = message('end_turn', [text('done')]);
export const CALLS = message('tool_use', [toolUse('a'), toolUse('b')]);

export const CANCEL: LoopEvent = { type: 'run.cancelled', signal: 'SIGTERM' };
export const EXPIRE: LoopEvent = { type: 'time.expired' };
export const UNSAVED: LoopEvent = { type: 'record.failed', message: 'no space left' };
export const resumed = (limits: Partial<Limits>): LoopEvent => ({
  type: 'run.resumed',
  limits: { ...LIMITS, ...limits },
});
export const saved = (record: PendingRecord['type'], turn = 1): LoopEvent => ({
  type: 'record.saved',
  record,
  turn,
});

export const CANCELLED: Stop = { status: 'cancelled', signal: 'SIGTERM' };
export const OUT_OF_TIME: Stop = { status: 'time_limit' };
export const OUT_OF_TURNS: Stop = { status: 'max_turns' };

/** What is being saved in a state of `persisting`. */
export const pending = {
  response: { type: 'reply.received', turn: 1, attempt: 1, message: ANSWER, problems: [], costUsd: 0 },
  results: { type: 'results.recorded', turn: 1, callIds: ['a'], notice: null },
  nudge: { type: 'nudge.recorded', turn: 1, text: NUDGE },
  closing: { type: 'run.closing', turn: 1, stop: OUT_OF_TURNS, results: [], notice: null },
  summary: { type: 'summary.received', turn: 1, attempt: 1, message: ANSWER, problems: [], costUsd: 0 },
} as const satisfies Record<string, PendingRecord>;

export const digestOf = (reply: AssistantMessage): Reply => digestReply(reply, new Set());

/** The nested form that xstate wants for a dotted name. */
const nested = (state: string): StateValue => {
  const [parent, child] = state.split('.');
  return child === undefined ? state : { [parent as string]: child };
};

/** A snapshot that rests, or stands for the length of a microstep, in a state, with that state's job invoked. */
export function at(
  state: string,
  context: Partial<LoopContext> = {},
  machine: typeof loopMachine = loopMachine,
): LoopSnapshot {
  const limits = context.limits ?? LIMITS;
  const resolved = machine.resolveState({
    value: nested(state) as LoopSnapshot['value'],
    context: { ...initialContext({ limits }), ...context },
  });
  return createActor(machine, { input: { limits }, snapshot: resumable(resolved) }).getSnapshot();
}

/** What becomes of a reply once it is saved. */
export function judged(reply: AssistantMessage, before: Partial<LoopContext> = {}): LoopSnapshot {
  const record = { ...pending.response, message: reply };
  const saving = at('persisting.response', { reply: digestOf(reply), pending: record, ...before });
  return transition(loopMachine, saving, saved('reply.received'))[0];
}
