/** Every way in which a request fails, as ModelFailure: whether another try may help, and one readable line. */
import { ModelFailure } from './client.ts';
import { isTooLong, mayPass, statusOfType } from './failure-rules.ts';
import { oneLine } from './one-line.ts';

/** Where a request went, and the credentials that no message may repeat. */
export interface Origin {
  readonly endpoint: string;
  readonly secrets?: readonly string[];
}

/** An answer with an error status. `text`: what the server says. */
export interface ErrorAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly errorCode?: string | null;
}

export function httpFailure(answer: ErrorAnswer, { endpoint, secrets }: Origin): ModelFailure {
  const { status, headers } = answer;
  const said = oneLine(answer.text, secrets) || 'no further word from the server';
  const requestId = headers.get('request-id');
  const details = [
    ...(status === 404 ? [`asked: ${endpoint}`] : []),
    ...(status < 400 ? [`a redirect is not followed, here to: ${headers.get('location')}`] : []),
    ...(requestId === null ? [] : [`request id: ${requestId}`]),
  ];
  const note = details.length > 0 ? ` (${oneLine(details.join(', '), secrets)})` : '';
  const refusal = {
    status,
    said,
    errorCode: answer.errorCode,
    shouldRetry: headers.get('x-should-retry'),
  };
  return new ModelFailure(`HTTP ${status}: ${said}${note}`, {
    kind: isTooLong(refusal) ? 'context' : 'http',
    retryable: mayPass(refusal),
    status,
    retryAfterMs: retryAfter(headers),
  });
}

/** Milliseconds that the server asks to wait; undefined where it asks for nothing that can be waited for. */
function retryAfter(headers: Headers): number | undefined {
  const wish = headers.get('retry-after') ?? '';
  const waits = [
    plainNumber(headers.get('retry-after-ms') ?? ''),
    plainNumber(wish) * 1000,
    HTTP_DATE.test(wish) ? Date.parse(wish) - Date.now() : Number.NaN,
  ];
  return waits.find((wait) => wait > 0 && Number.isFinite(wait));
}

/** What JavaScript takes for a number or a date beside these ("0x10", "1e3", "7 May") is no wish of a server. */
const plainNumber = (text: string): number => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);

const HTTP_DATE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/;

/** A request that got no answer, or an answer with an error status. */
export function requestFailure(error: unknown, origin: Origin): ModelFailure {
  if (isStatusError(error)) {
    const { status, headers, errorCode } = error;
    return httpFailure({ status, headers, errorCode, text: serverText(error) }, origin);
  }
  // What the SDK throws under other names never left the machine.
  const isConnection = isConnectionError(error);
  const reason = oneLine(reasonOf(error), origin.secrets);
  return new ModelFailure(
    isConnection ? `No answer from ${origin.endpoint}: ${reason}` : `The request was not sent: ${reason}`,
    { kind: 'connection', retryable: isConnection, cause: error },
  );
}

/**
 * A reply that began and broke off. It is void; asking again may bring a whole one. What the server said is no cause
 * of the failure but part of its message: there the secrets are taken out.
 */
export function streamFailure(error: unknown, { secrets }: Origin): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof SyntaxError)
    return new ModelFailure('The reply holds data that is not JSON', { kind: 'malformed', retryable: true });
  // The SDK writes an error event as JSON again, by recursion.
  if (error instanceof RangeError)
    return new ModelFailure('The reply holds data that is nested too deep', {
      kind: 'malformed',
      retryable: true,
    });
  if (isSaid(error)) return saidFailure(error, secrets);
  return new ModelFailure(`The reply broke off: ${oneLine(reasonOf(error), secrets)}`, {
    kind: 'interrupted',
    retryable: true,
    cause: error,
  });
}

/** An error event in a stream. It is judged like the answer that it would have been before the stream began. */
function saidFailure(error: Said, secrets: readonly string[] | undefined): ModelFailure {
  const said = oneLine(`${error.type}: ${serverText(error)}`, secrets);
  const refusal = { status: statusOfType(error.type), said, errorCode: error.errorCode };
  return new ModelFailure(`The reply broke off: ${said}`, {
    kind: isTooLong(refusal) ? 'context' : 'interrupted',
    retryable: mayPass(refusal),
  });
}

/** A count of tokens that was not given: its answer is no stream, but may break off like one. */
export const countFailure = (error: unknown, origin: Origin): ModelFailure =>
  isStatusError(error) || isConnectionError(error)
    ? requestFailure(error, origin)
    : streamFailure(error, origin);

/** By name and not by class: the SDK is loaded late. */
const isConnectionError = (error: unknown): error is Error =>
  error instanceof Error && error.name.startsWith('APIConnection');

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
