import type { AttemptFailure } from '../../machines/events.ts';
import { digestReply } from '../../machines/reply.ts';
import type { RunLog } from '../journal/run-log.ts';
import { type ModelClient, ModelFailure, type ModelRequest } from '../model/client.ts';
import { type Gate, mayPass } from './gate.ts';
import type { JobWork } from './job.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A server that asks for more than this is not waited for. */
const LONGEST_ASKED_DELAY_MS = 5 * 60_000;

export interface AskModelParts {
  readonly client: ModelClient;
  /** The part of the request that stays the same through the run. */
  readonly request: Omit<ModelRequest, 'messages' | 'toolsOff' | 'maxOutputTokens'>;
  readonly log: RunLog;
  readonly gate: Gate;
  readonly random: () => number;
  readonly onText: (text: string) => void;
  readonly onWithdrawn: () => void;
}

/** Sends one request and reports what came of it. Never repeats it: that is the machine's decision. */
export const askModel =
  ({ client, request, log, gate, random, onText, onWithdrawn }: AskModelParts): JobWork<'askModel'> =>
  async ({ input, signal, send }) => {
    const { turn, attempt, failures, maxOutputTokens, conclude } = input;
    const { transcript } = log;
    if (!(await mayPass(gate, { kind: 'request', turn }, signal))) return;
    try {
      const message = await client.ask(
        // A copy: the list grows, and whoever keeps a request must not see it grow.
        { ...request, messages: [...transcript.messages], toolsOff: conclude, maxOutputTokens },
        { signal, onText },
      );
      send({
        type: 'model.replied',
        turn,
        attempt,
        message,
        reply: digestReply(message, transcript.usedIds),
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ModelFailure)) throw error;
      onWithdrawn();
      const failure = describe(error, failures, random);
      log.note({ type: 'attempt.failed', turn, attempt, failure });
      send({ type: 'model.failed', turn, attempt, failure });
    }
  };

/** The wait that the server asked for, else one that doubles with each failure, spread so that clients do not meet. */
function describe(error: ModelFailure, failures: number, random: () => number): AttemptFailure {
  const { kind, message, status, retryable, retryAfterMs } = error;
  const tooLong = retryAfterMs !== undefined && retryAfterMs > LONGEST_ASKED_DELAY_MS;
  const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS) * (0.75 + random() / 2);
  return {
    kind,
    message: tooLong
      ? `${message} (the server asks to wait ${Math.round(retryAfterMs / 1000)} s, which is too long)`
      : message,
    ...(status === undefined ? {} : { status }),
    retryable: retryable && !tooLong,
    delayMs: Math.round(retryAfterMs ?? backoffMs),
  };
}
