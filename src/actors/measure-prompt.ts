import { allowanceOf, type Forecast, summaryAllowance } from '../../machines/budget.ts';
import type { JobInputs } from '../../machines/context.ts';
import type { Message } from '../../machines/protocol.ts';
import { NO_USAGE, totalTokens } from '../../machines/reply.ts';
import { isRoomyIn } from '../../machines/window.ts';
import type { RunLog } from '../journal/run-log.ts';
import type { Transcript } from '../journal/transcript.ts';
import { type ModelClient, ModelFailure, type ModelRequest } from '../model/client.ts';
import { imageDiscount } from './image-tokens.ts';
import type { JobWork } from './job.ts';
import { watched } from './watched.ts';

/** A count is a matter of a moment, and there is an estimate in its place. */
const LONGEST_COUNT_MS = 10_000;

export interface MeasureParts {
  readonly client: ModelClient;
  /** The request that comes next, whose size is in question. */
  readonly requestOf: (input: JobInputs['measurePrompt']) => ModelRequest;
  /** Dearest price of a token of a request of this size, in USD; 0 where it is not known. */
  readonly priceOf: (input: JobInputs['measurePrompt'], inputTokens: number) => Omit<Forecast, 'inputTokens'>;
  readonly log: RunLog;
  /** How long the service may take to count. Default: ten seconds, which are the most. */
  readonly idleTimeoutMs?: number | undefined;
}

/**
 * Finds out what the next request reads. An estimate that is never too low costs nothing; only where by it the request
 * would be held back or shortened, the service is asked to count.
 */
export const measurePrompt =
  ({
    client,
    requestOf,
    priceOf,
    log,
    idleTimeoutMs = LONGEST_COUNT_MS,
  }: MeasureParts): JobWork<'measurePrompt'> =>
  async ({ input, signal, send }) => {
    const { turn, attempt } = input;
    const request = requestOf(input);
    const forecastOf = (inputTokens: number): Forecast => ({
      inputTokens,
      ...priceOf(input, inputTokens),
    });
    const estimated = forecastOf(mostTokens(request, log.transcript));
    const counted = isRoomy(input, estimated)
      ? undefined
      : await count(client, request, signal, idleTimeoutMs);
    if (signal.aborted) return;
    const forecast = counted === undefined ? estimated : forecastOf(counted);
    const isExact = counted !== undefined;
    log.note({ type: 'prompt.measured', turn, attempt, forecast, isExact });
    send({ type: 'prompt.measured', turn, attempt, forecast, isExact });
  };

function isRoomy(
  { spending, wanted, conclude, window }: JobInputs['measurePrompt'],
  forecast: Forecast,
): boolean {
  if (window !== null && !isRoomyIn(window, forecast.inputTokens, wanted)) return false;
  const allowance = conclude
    ? summaryAllowance(spending, forecast, wanted)
    : allowanceOf(spending, forecast, wanted, false);
  return allowance.tokens >= wanted && allowance.by === null;
}

/** A service that cannot count leaves the estimate, which is on the safe side. */
async function count(
  client: ModelClient,
  request: ModelRequest,
  signal: AbortSignal,
  idleTimeoutMs: number,
): Promise<number | undefined> {
  const patience = { silenceMs: Math.min(idleTimeoutMs, LONGEST_COUNT_MS) };
  try {
    return await watched(signal, patience, async (watch) => client.countTokens?.(request, watch));
  } catch (error) {
    if (error instanceof ModelFailure || signal.aborted) return undefined;
    throw error;
  }
}

/** What the last reply is known to have read and said, and what has been added since. A token is at least a byte, in a text. */
function mostTokens({ messages, ...rest }: ModelRequest, { replies }: Transcript): number {
  const known = totalTokens(replies.at(-1)?.usage ?? NO_USAGE);
  // Nothing was said yet, or not what it has cost.
  if (known === 0) return bytesOf(rest) + bytesOfMessages(messages);
  return (
    known + bytesOfMessages(messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1))
  );
}

const bytesOfMessages = (messages: readonly Message[]): number => bytesOf(messages) - imageDiscount(messages);

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
