/** Which failures another try may mend. What is refused for what it is will be refused again, whatever the server adds. */

/** An answer that says what is wrong, as a status or as an event in a stream. */
export interface Refusal {
  readonly status: number;
  /** What the server says, in one line. */
  readonly said: string;
  readonly errorCode?: string | null | undefined;
  /** The server's own word on it, as in the header `x-should-retry`. */
  readonly shouldRetry?: string | null | undefined;
}

const FINAL = new Set([400, 401, 402, 403, 404, 413]);
const PASSING = new Set([408, 409, 429]);

/** A 429 that lasts until a person raises the limit. Gateways keep the text where they drop the code. */
const SPEND_LIMITS = new Set(['enforced_spend_limit_reached', 'contract_spend_limit_reached']);
const SPEND_TEXTS = /(enforced|contract)_spend_limit_reached|\bspend(ing)? limit\b/i;

/** The prompt, or prompt and answer together, are larger than the model's context. */
const CONTEXT_TEXTS = /prompt is too long|exceed context limit/i;

export const isTooLong = ({ status, said }: Refusal): boolean => status === 400 && CONTEXT_TEXTS.test(said);

export function mayPass({ status, said, errorCode, shouldRetry }: Refusal): boolean {
  if (FINAL.has(status)) return false;
  if (status === 429 && (SPEND_LIMITS.has(errorCode ?? '') || SPEND_TEXTS.test(said))) return false;
  if (shouldRetry === 'true' || shouldRetry === 'false') return shouldRetry === 'true';
  return PASSING.has(status) || status >= 500;
}

/** An error in a stream comes without a status: what its type would have had. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
]);

/** One of an unknown type counts as trouble of the server, which passes. */
export const statusOfType = (type: unknown): number => STATUSES.get(type) ?? 500;
