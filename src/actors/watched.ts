import { ModelFailure, type Sign } from '../model/client.ts';

/** What a watched request is given: a signal of its own, and a way to tell that the other side is there. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly onActivity: (sign: Sign) => void;
}

/**
 * How many times longer than silence it may last that there are signs of life and no part of a reply. Servers send pings
 * while a model thinks out of sight, which takes minutes; a proxy may send them for ever.
 */
const PROGRESS_FACTOR = 10;

/** Milliseconds that a request may take. */
export interface Patience {
  readonly silenceMs: number;
  /** All in all, however lively it is. Default: as long as it lasts. */
  readonly mostMs?: number;
}

/** Milliseconds that a request has to fail of its own once it is aborted; it may know what the attempt has cost. */
const GRACE_MS = 250;

/** The longest time that a timer can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends a request that is aborted, and fails as `idle`, after a time without any sign of life, after ten times that without
 * a part of the reply, and after the longest that it may take. Where `signal` is aborted, so is the request, with the same reason.
 */
export async function watched<Value>(
  signal: AbortSignal,
  patience: Patience,
  send: (watch: Watch) => Promise<Value>,
): Promise<Value> {
  const own = new AbortController();
  const leave = () => own.abort(signal.reason);
  const clock = idleClock(patience, (failure) => own.abort(failure));
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([send({ signal: own.signal, onActivity: clock.hear }), clock.abandoned]);
  } catch (error) {
    const { failure } = clock;
    if (failure === undefined || signal.aborted) throw error;
    throw failure.withUsage(error instanceof ModelFailure ? error.usage : undefined);
  } finally {
    signal.removeEventListener('abort', leave);
    clock.stop();
  }
}

/** Timers for silence, for standstill and for the whole. What they come to is told at once; `abandoned` fails a moment later. */
function idleClock({ silenceMs: silent, mostMs }: Patience, onIdle: (failure: ModelFailure) => void) {
  const silenceMs = Math.min(silent, LONGEST_TIMER_MS);
  const standstillMs = Math.min(silent * PROGRESS_FACTOR, LONGEST_TIMER_MS);
  let failure: ModelFailure | undefined;
  let grace: NodeJS.Timeout | undefined;
  let abandon: (failure: ModelFailure) => void = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = reject;
  });
  const expire = (message: string, retryable = true) => {
    stop();
    failure = new ModelFailure(message, { kind: 'idle', retryable });
    grace = setTimeout(abandon, GRACE_MS, failure);
    onIdle(failure);
  };
  const silence = setTimeout(expire, silenceMs, `The model was silent for ${silenceMs / 1000} s`);
  const standstill = setTimeout(
    expire,
    standstillMs,
    `The model sent signs of life, but no part of a reply, for ${standstillMs / 1000} s`,
  );
  const overtime =
    mostMs !== undefined && mostMs <= LONGEST_TIMER_MS
      ? setTimeout(expire, mostMs, 'The reply was not complete in the time that was left', false)
      : undefined;
  const stop = () => [silence, standstill, overtime, grace].forEach(clearTimeout);
  const hear = (sign: Sign) => {
    if (failure !== undefined) return;
    silence.refresh();
    if (sign === 'progress') standstill.refresh();
  };
  return {
    abandoned,
    hear,
    stop,
    get failure() {
      return failure;
    },
  };
}
