import { setTimeout as wait } from 'node:timers/promises';
import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantMessage } from '../../machines/protocol.ts';
import { ReplyAccumulator } from './accumulate.ts';
import { normaliseBaseUrl } from './base-url.ts';
import { type AskOptions, type ModelClient, ModelFailure } from './client.ts';
import { type Origin, requestFailure, streamFailure } from './failure.ts';
import { type Fetch, nodeFetch } from './fetch.ts';
import { requestBody } from './wire.ts';

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

type Credential = { readonly apiKey: string; authToken: null } | { readonly apiKey: null; authToken: string };

/**
 * A client for the Messages API, always streaming. Throws an Error of one line on settings that cannot work.
 * The SDK is loaded with the first request: it takes longer than all the rest of a start.
 */
export function anthropicClient(options: AnthropicOptions): ModelClient {
  const baseUrl = normaliseBaseUrl(options.baseUrl);
  const credential = credentialOf(options);
  const origin: Origin = {
    endpoint: `${baseUrl}/v1/messages`,
    secret: credential.apiKey ?? credential.authToken,
  };
  let service: Promise<Anthropic> | undefined;
  return {
    name: new URL(baseUrl).host,
    async ask(request, { signal, onText, onActivity }) {
      service ??= connect(baseUrl, credential, options.fetch ?? nodeFetch);
      const { messages } = await service;
      const body = requestBody(request) as unknown as Anthropic.MessageCreateParamsNonStreaming;
      try {
        const answer = await messages
          .create({ ...body, stream: true }, { signal })
          .withResponse()
          .catch((error: unknown) => Promise.reject(requestFailure(error, origin)));
        return await readReply(answer.data, answer.response, { signal, onText, onActivity });
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
 * Reads the stream up to its end event. The iterator itself ends without an error where the connection closes early,
 * where the request is aborted, and where the answer is no stream at all.
 */
async function readReply(
  stream: AsyncIterable<unknown> & { readonly controller: AbortController },
  response: Response,
  { signal, onText, onActivity }: AskOptions,
): Promise<AssistantMessage> {
  const reply = new ReplyAccumulator((text) => onText?.(text));
  const events = stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await events.next();
    if (next.done) break;
    onActivity?.();
    reply.add(next.value);
    if (!reply.isComplete) continue;
    await settle(events.next(), stream.controller);
    return reply.finish();
  }
  signal.throwIfAborted();
  if (reply.hasBegun)
    throw new ModelFailure('The reply broke off: the connection was closed before its end', {
      kind: 'interrupted',
      retryable: true,
    });
  const type = response.headers.get('content-type') ?? 'of unknown type';
  throw new ModelFailure(`The answer is no event stream but ${type}: is the base address right?`, {
    kind: 'malformed',
    retryable: true,
  });
}
