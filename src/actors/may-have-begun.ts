/**
 * Whether a request that failed may have been worked on beyond what the server has said of it. An answer with an error status
 * is not charged for, nor is a request that reached nobody; a reply that broke off goes on for who knows how long.
 */
import type { ModelFailure } from '../model/client.ts';

/** Names of failures before a connection stood. */
const NOBODY_REACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

export function mayHaveBegun({ kind, retryable, cause }: ModelFailure): boolean {
  switch (kind) {
    case 'interrupted':
    case 'idle':
    case 'malformed':
      return true;
    case 'connection':
      return retryable && !codesOf(cause).some((code) => NOBODY_REACHED.test(code));
    case 'http':
    case 'context':
    case 'script':
      return false;
  }
}

/** Of an error and of what caused it, however deep. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth += 1)
    if ('code' in at) codes.push(String(at.code));
  return codes;
}
