/** The context window: how much the next request may read, and what it leaves for output. Pure. */
import { LEAST_OUTPUT_TOKENS } from './budget.ts';
import type { LoopContext } from './context.ts';
import type { Usage } from './protocol.ts';
import { totalTokens } from './reply.ts';

/** What a result takes at most, and the words around those of a round. A token is at least a byte. */
export const MOST_RESULT_BYTES = 100_000;
const ROUND_TOKENS = 2_048;
/** The service calls its own count an estimate. */
const COUNTING_TOKENS = 256;

type Known = Pick<LoopContext, 'limits' | 'counters'>;

/** Of the model that is asked now; null: nobody knows it. */
export const windowOf = ({ limits, counters }: Known): number | null =>
  counters.fallbacks > 0 ? limits.fallbackWindow : limits.contextWindow;

/** What the next request reads behind a reply; null: the service has not said what there was before. */
export const promptBehind = (usage: Usage): number | null => totalTokens(usage) || null;

/** The same with the results of a round, whose sizes the machine is not told. */
export const promptBehindRound = (promptTokens: number | null, calls: number): number | null =>
  promptTokens === null ? null : promptTokens + calls * MOST_RESULT_BYTES + ROUND_TOKENS;

/** Whether a prompt of this size leaves all the room that is wanted. */
export const isRoomyIn = (window: number, inputTokens: number, wanted: number): boolean =>
  inputTokens + wanted + COUNTING_TOKENS <= window;

/** Whether the next request could be too large, as far as the machine knows. */
export function isNearWindow(context: LoopContext): boolean {
  const { promptTokens, maxOutputTokens } = context;
  const window = windowOf(context);
  return window !== null && (promptTokens === null || !isRoomyIn(window, promptTokens, maxOutputTokens));
}

/** Output that the window leaves. What was only estimated may be far less: no run ends, and no reply is short, by that. */
export function roomInWindow(context: Known, inputTokens: number, isExact: boolean): number {
  const window = windowOf(context);
  return window === null || !isExact ? Number.POSITIVE_INFINITY : window - inputTokens - COUNTING_TOKENS;
}

/** Whether less is left than is worth a request. */
export const isPastWindow = (context: LoopContext, inputTokens: number, isExact: boolean): boolean =>
  roomInWindow(context, inputTokens, isExact) < Math.min(LEAST_OUTPUT_TOKENS, context.maxOutputTokens);
