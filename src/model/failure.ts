/** Every way in which a request fails, as ModelFailure: whether another try may help, and one readable line. */
import { ModelFailure } from './client.ts';
import { oneLine } from './one-line.ts';

/** Where a request went, and the credential that no message may repeat. */
export interface Origin {
  readonly endpoint: string;
  readonly secret?: string;
}

/** An answer with an error status. `text`: what the server says. */
export interface ErrorAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly errorCode?: string | null;
}

const RETRYABLE = new Set([408, 409, 429]);

/** A 429 that lasts until a person raises the limit. */
const SPEND_LIMITS = new Set(['enforced_spend_limit_reached', 'contract_spend_limit_reached']);

/** The prompt, or prompt and answer together, are larger than the model's context. */
const CONTEXT_TEXTS = /prompt is too long|exceed context limit/i;

export function httpFailure(answer: ErrorAnswer, { endpoint, secret }: Origin): ModelFailure {
  const { status, headers } = answer;
  const said = oneLine(answer.text, secret) || 'no further word from the server';
  const requestId = headers.get('request-id');
  const details = [
    ...(status === 404 ? [`asked: ${endpoint}`] : []),
    ...(status < 400 ? [`a redirect is not followed, here to: ${headers.get('location')}`] : []),
    ...(requestId === null ? [] : [`request id: ${requestId}`]),
  ];
  const note = details.length > 0 ? ` (${oneLine(details.join(', '), secret)})` : '';
  const retryAfterMs = retryAfter(headers);
  const isContext = status === 400 && CONTEXT_TEXTS.test(said);
  return new ModelFailure(`HTTP ${status}: ${said}${note}`, {
    kind: isContext ? 'context' : 'http',
    retryable: !isContext && isRetryable(answer),
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** The server's own word on it comes first. */
function isRetryable({ status, headers, errorCode }: ErrorAnswer): boolean {
  const word = headers.get('x-should-retry');
  if (word === 'true' || word === 'false') return word === 'true';
  if (status === 429 && SPEND_LIMITS.has(errorCode ?? '')) return false;
  return RETRYABLE.has(status) || status >= 500;
}

/** Milliseconds that the server asks to wait; undefined where it asks for nothing that can be waited for. */
function retryAfter(headers: Headers): number | undefined {
  const wish = headers.get('retry-after') ?? '';
  const seconds = Number(wish);
  const waits = [
    Number(headers.get('retry-after-ms')),
    Number.isNaN(seconds) ? Date.parse(wish) - Date.now() : seconds * 1000,
  ];
  return waits.find((wait) => wait > 0 && Number.isFinite(wait));
}

/** A request that got no answer, or an answer with an error status. */
export function requestFailure(error: unknown, origin: Origin): ModelFailure {
  if (isStatusError(error)) {
    const { status, headers, errorCode } = error;
    return httpFailure({ status, headers, errorCode, text: serverText(error) }, origin);
  }
  // By name and not by class: the SDK is loaded late. What it throws under other names never left the machine.
  const isConnection = error instanceof Error && error.name.startsWith('APIConnection');
  const reason = oneLine(reasonOf(error), origin.secret);
  return new ModelFailure(
    isConnection ? `No answer from ${origin.endpoint}: ${reason}` : `The request was not sent: ${reason}`,
    { kind: 'connection', retryable: isConnection, cause: error },
  );
}

/**
 * A reply that began and broke off. It is void; asking again may bring a whole one. What the server said is no cause
 * of the failure but part of its message: there the secret is taken out.
 */
export function streamFailure(error: unknown, { secret }: Origin): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof SyntaxError)
    return new ModelFailure('The reply holds data that is not JSON', { kind: 'malformed', retryable: true });
  // The SDK writes an error event as JSON again, by recursion.
  if (error instanceof RangeError)
    return new ModelFailure('The reply holds data that is nested too deep', {
      kind: 'malformed',
      retryable: true,
    });
  const reason = oneLine(isSaid(error) ? `${error.type}: ${serverText(error)}` : reasonOf(error), secret);
  return new ModelFailure(`The reply broke off: ${reason}`, {
    kind: 'interrupted',
    retryable: true,
    cause: isSaid(error) ? undefined : error,
  });
}

/** The fields of the SDK's APIError that are used here. */
interface Said extends Error {
  readonly apiMessage: unknown;
  readonly type: string | null;
  readonly errorCode: string | null;
}

const isSaid = (error: unknown): error is Said => error instanceof Error && 'apiMessage' in error;

const isStatusError = (error: unknown): error is Said & { status: number; headers: Headers } =>
  isSaid(error) && 'status' in error && typeof error.status === 'number' && 'headers' in error;

/** The SDK puts the status and, where the body has no message, the whole body into its own message. */
const serverText = (error: Said): string =>
  typeof error.apiMessage === 'string' ? error.apiMessage : error.message.replace(/^\d+ /, '');

/** What the operating system says, not what the layers above it call it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}
