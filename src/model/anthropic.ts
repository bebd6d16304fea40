import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantMessage } from '../../machines/protocol.ts';
import { ReplyAccumulator } from './accumulate.ts';
import { normaliseBaseUrl } from './base-url.ts';
import { type AskOptions, type ModelClient, ModelFailure } from './client.ts';
import { type Origin, requestFailure, streamFailure } from './failure.ts';
import { type Fetch, nodeFetch } from './fetch.ts';
import { oneLine } from './one-line.ts';
import { requestBytes } from './wire.ts';

export interface AnthropicOptions {
  /** One of the two is needed; the key wins. */
  readonly apiKey?: string;
  readonly authToken?: string;
  /** Default: the public service. */
  readonly baseUrl?: string;
  readonly fetch?: Fetch;
}

/** Milliseconds that a server gets to close a reply which is complete; then its connection is given up. */
const CLOSING_TIME_MS = 250;

const JSON_BODY = { 'content-type': 'application/json' };

type Stream = AsyncIterable<unknown> & { readonly controller: AbortController };

type Credential =
  | { readonly apiKey: string; readonly authToken: null }
  | { readonly apiKey: null; readonly authToken: string };

/**
 * A client for the Messages API, always streaming. Throws an Error of one line on settings that cannot work.
 * The SDK is loaded with the first request: it takes longer than all the rest of a start.
 */
export function anthropicModel(settings: AnthropicOptions): ModelClient {
  const baseUrl = normaliseBaseUrl(settings.baseUrl);
  const credential = credentialOf(settings);
  const secret = credential.apiKey ?? credential.authToken;
  const origin: Origin = { endpoint: `${baseUrl}/v1/messages`, secret };
  let service: Promise<Anthropic> | undefined;
  return {
    name: new URL(baseUrl).host,
    secrets: [secret],
    async ask(request, options) {
      const { signal } = options;
      service ??= connect(baseUrl, credential, settings.fetch ?? nodeFetch);
      const sdk = await service;
      try {
        // As bytes: the SDK would write the whole conversation out anew for each request.
        const answer = await sdk
          .post<Stream>('/v1/messages', {
            body: requestBytes(request),
            headers: JSON_BODY,
            stream: true,
            signal,
          })
          .withResponse()
          .catch((error: unknown) => Promise.reject(requestFailure(error, origin)));
        return await readReply(answer.data, answer.response, options);
      } catch (error) {
        signal.throwIfAborted();
        throw streamFailure(error, origin);
      }
    },
  };
}

function credentialOf({ apiKey, authToken }: AnthropicOptions): Credential {
  const secret = apiKey || authToken;
  if (!secret) throw new Error('No key for the model: set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN)');
  // Checked here, since the error of the header that it would not fit into repeats it.
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw new Error('The key for the model holds white space or other characters that no key has');
  return apiKey ? { apiKey: secret, authToken: null } : { apiKey: null, authToken: secret };
}

/**
 * Credentials are given one by one, so that the SDK looks for none in the environment or on disk. It must not retry,
 * which the loop does, nor log: its logger writes to standard output.
 */
async function connect(baseURL: string, credential: Credential, fetch: Fetch): Promise<Anthropic> {
  const { default: Service } = await import('@anthropic-ai/sdk');
  const silent = { error() {}, warn() {}, info() {}, debug() {} };
  return new Service({ ...credential, baseURL, fetch, maxRetries: 0, logger: silent, logLevel: 'off' });
}

/**
 * Reads the stream through. What comes after the end event cannot change the reply; it is read so that the connection
 * can serve the next turn.
 */
async function readReply(
  stream: Stream,
  response: Response,
  { signal, onText, onActivity }: AskOptions,
): Promise<AssistantMessage> {
  const reply = new ReplyAccumulator((text) => onText?.(text));
  let closing: NodeJS.Timeout | undefined;
  try {
    for await (const event of stream) {
      if (reply.isComplete) continue;
      onActivity?.();
      reply.add(event);
      if (reply.isComplete) closing = setTimeout(() => stream.controller.abort(), CLOSING_TIME_MS);
    }
  } catch (error) {
    if (!reply.isComplete) throw error;
  } finally {
    clearTimeout(closing);
  }
  if (reply.isComplete) return reply.finish();
  signal.throwIfAborted();
  throw incomplete(reply.hasBegun, response.headers.get('content-type'));
}

/** The SDK's iterator ends without an error where a connection closes early and where the answer is no stream at all. */
function incomplete(hasBegun: boolean, contentType: string | null): ModelFailure {
  return hasBegun
    ? new ModelFailure('The reply broke off: the connection was closed before its end', {
        kind: 'interrupted',
        retryable: true,
      })
    : new ModelFailure(
        `The answer holds no events (${oneLine(contentType ?? 'no content type')}): is the base address right?`,
        { kind: 'malformed', retryable: true },
      );
}
