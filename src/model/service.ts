/** The SDK, set up so that it does nothing of its own. */
import type Anthropic from '@anthropic-ai/sdk';
import type { Fetch } from './fetch.ts';

export type Credential =
  | { readonly apiKey: string; readonly authToken: null }
  | { readonly apiKey: null; readonly authToken: string };

interface Given {
  readonly apiKey?: string | undefined;
  readonly authToken?: string | undefined;
}

/** The longest time that a timer can hold. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** The key wins. Throws an Error of one line, without what was given, where neither can be used. */
export function credentialOf({ apiKey, authToken }: Given): Credential {
  const secret = apiKey || authToken;
  if (!secret)
    throw new Error(
      'No key for the model: give apiKey or authToken (ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN)',
    );
  // Checked here, since the error of the header that it would not fit into repeats it.
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw new Error('The key for the model holds white space or other characters that no key has');
  return apiKey ? { apiKey: secret, authToken: null } : { apiKey: null, authToken: secret };
}

/**
 * Credentials are given one by one, so that the SDK looks for none in the environment or on disk. It must not retry,
 * which the loop does, nor give up by its own clock, which stops at the headers, nor log: its logger writes to standard
 * output.
 */
export async function connect(baseURL: string, credential: Credential, fetch: Fetch): Promise<Anthropic> {
  const { default: Service } = await import('@anthropic-ai/sdk');
  const silent = { error() {}, warn() {}, info() {}, debug() {} };
  return new Service({
    ...credential,
    baseURL,
    fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logger: silent,
    logLevel: 'off',
  });
}
