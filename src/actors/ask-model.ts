import type { JobInputs } from '../../machines/context.ts';
import type { Usage } from '../../machines/protocol.ts';
import { digestReply } from '../../machines/reply.ts';
import { LIST_PRICES, type Prices } from '../budget/price-list.ts';
import { costOf, costOfReply, priceOf, promptTokensOf } from '../budget/prices.ts';
import type { RunLog } from '../journal/run-log.ts';
import { type ModelClient, ModelFailure, type ModelRequest } from '../model/client.ts';
import { attemptFailure } from './attempt-failure.ts';
import { type Gate, mayPass } from './gate.ts';
import type { JobWork } from './job.ts';
import { type Patience, watched } from './watched.ts';

const DEFAULT_IDLE_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_RETRY_WAIT_MS = 5 * 60_000;

export interface AskModelParts {
  readonly client: ModelClient;
  readonly requestOf: (input: JobInputs['askModel']) => ModelRequest;
  readonly log: RunLog;
  readonly gate: Gate;
  readonly random: () => number;
  readonly onText: (text: string) => void;
  readonly onWithdrawn: () => void;
  /** How long the model may be silent before the attempt counts as failed. Default: two minutes. */
  readonly idleTimeoutMs?: number | undefined;
  /** A server that asks for a longer wait is not asked again. Default: five minutes. */
  readonly maxRetryWaitMs?: number | undefined;
  /** What is left of the time limit. Default: there is none. */
  readonly remainingMs?: (() => number) | undefined;
  /** Default: the list prices. */
  readonly prices?: Prices | undefined;
}

/** Sends one request and reports what came of it. Never repeats it: that is the machine's decision. */
export const askModel = (parts: AskModelParts): JobWork<'askModel'> => {
  const { client, requestOf, log, gate, random, onText, onWithdrawn } = parts;
  const { idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS, maxRetryWaitMs = DEFAULT_MAX_RETRY_WAIT_MS } = parts;
  const { prices = LIST_PRICES, remainingMs = () => Number.POSITIVE_INFINITY } = parts;
  const rulesFor = (model: string) => ({
    maxRetryWaitMs,
    random,
    costOf: (usage: Usage) => {
      const price = priceOf(model, promptTokensOf(usage), prices);
      return price && costOf(usage, price);
    },
  });
  /** The machine ends a reply that lasts past the time limit, but not the summary behind it: that may last on a little. */
  const patienceFor = ({ conclude }: JobInputs['askModel']): Patience => ({
    silenceMs: idleTimeoutMs,
    ...(conclude && { mostMs: Math.max(0, remainingMs()) + idleTimeoutMs }),
  });
  return async ({ input, signal, send }) => {
    const { turn, attempt, failures } = input;
    if (!(await mayPass(gate, { kind: 'request', turn }, signal))) return;
    // A request that is not known of after a power cut would not be counted.
    await log.sync();
    if (signal.aborted) return;
    const request = requestOf(input);
    try {
      const message = await watched(signal, patienceFor(input), (watch) =>
        client.ask(request, {
          ...watch,
          onText: (text) => {
            if (!watch.signal.aborted) onText(text);
          },
        }),
      );
      const costUsd = costOfReply(message, request.model, prices);
      const reply = digestReply(message, log.transcript.usedIds, costUsd);
      send({ type: 'model.replied', turn, attempt, message, reply });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ModelFailure)) throw error;
      onWithdrawn();
      const failure = attemptFailure(error, failures, rulesFor(request.model));
      log.note({ type: 'attempt.failed', turn, attempt, failure });
      send({ type: 'model.failed', turn, attempt, failure });
    }
  };
};
