import type Anthropic from '@anthropic-ai/sdk';
import {
  BOOLEAN,
  checkShape,
  FUNCTION,
  listOf,
  OBJECT,
  oneOf,
  type Shapes,
  TEXT,
  TEXTS,
} from '../checks/shape.ts';
import { ReplyAccumulator } from './accumulate.ts';
import { normaliseBaseUrl } from './base-url.ts';
import { type ModelClient, ModelFailure, type ModelRequest } from './client.ts';
import { EDIT_BETAS } from './context-edits.ts';
import { type ExtraHeaders, headersOf, secretsIn } from './extra-headers.ts';
import { countFailure, requestFailure, streamFailure } from './failure.ts';
import { type Fetch, nodeFetch } from './fetch.ts';
import { objectionTo, refuseSampling } from './models.ts';
import { type Listeners, observed } from './observed.ts';
import { readReply, type Stream } from './read-reply.ts';
import { connect, credentialOf } from './service.ts';
import { countBytes, requestBytes, type WireOptions } from './wire.ts';

export interface AnthropicOptions extends WireOptions, ExtraHeaders {
  /** One of the two is needed; the key wins. */
  readonly apiKey?: string;
  readonly authToken?: string;
  /** Default: the public service. */
  readonly baseUrl?: string;
  readonly fetch?: Fetch;
}

const OPTIONS = {
  apiKey: TEXT,
  authToken: TEXT,
  baseUrl: TEXT,
  fetch: FUNCTION,
  cache: BOOLEAN,
  thinkingDisplay: oneOf(['summarized', 'omitted']),
  contextEdits: listOf(['clear', 'compact']),
  betas: TEXTS,
  headers: OBJECT,
} satisfies Shapes<AnthropicOptions>;

const MESSAGES = '/v1/messages';
const COUNT = '/v1/messages/count_tokens';

/**
 * A client for the Messages API, always streaming. Throws an Error of one line on settings that cannot work or are not known.
 * The SDK is loaded with the first request: it takes longer than all the rest of a start.
 */
export function anthropicModel(settings: AnthropicOptions): ModelClient {
  refuseSampling(settings);
  checkShape('anthropicModel()', settings, OPTIONS);
  const baseUrl = normaliseBaseUrl(settings.baseUrl, 'baseUrl');
  const credential = credentialOf(settings);
  const { betas = [], contextEdits = [] } = settings;
  const given = headersOf({
    ...settings,
    betas: contextEdits.length > 0 ? [...betas, ...EDIT_BETAS] : betas,
  });
  const secrets = [credential.apiKey ?? credential.authToken, ...secretsIn(given)];
  const headers = { ...given, 'content-type': 'application/json' };
  const { fetch = nodeFetch } = settings;
  const listeners: Listeners = new WeakMap();
  let service: Promise<Anthropic> | undefined;
  const connected = () => {
    service ??= connect(baseUrl, credential, observed(fetch, listeners));
    return service;
  };
  return {
    name: new URL(baseUrl).host,
    secrets,
    async ask(request, options) {
      const { signal, onText, onActivity } = options;
      const origin = { endpoint: baseUrl + MESSAGES, secrets };
      refuse(request, settings);
      const sdk = await connected();
      const reply = new ReplyAccumulator((text) => onText?.(text));
      try {
        // As bytes: the SDK would write the whole conversation out anew for each request.
        const body = requestBytes(request, settings);
        listeners.set(body, () => onActivity?.('life'));
        const answer = await sdk
          .post<Stream>(MESSAGES, { body, headers, stream: true, signal })
          .withResponse()
          .catch((error: unknown) => Promise.reject(requestFailure(error, origin)));
        return await readReply(answer.data, answer.response, reply, options);
      } catch (error) {
        const failure: unknown = signal.aborted ? signal.reason : streamFailure(error, origin);
        throw failure instanceof ModelFailure ? failure.withUsage(reply.usage) : failure;
      }
    },
    async countTokens(request, { signal }) {
      refuse(request, settings);
      const sdk = await connected();
      try {
        const body = countBytes(request, settings);
        return tokensIn(await sdk.post<unknown>(COUNT, { body, headers, signal }));
      } catch (error) {
        signal.throwIfAborted();
        throw countFailure(error, { endpoint: baseUrl + COUNT, secrets });
      }
    },
  };
}

/** A request that the model is known to refuse is not sent. */
function refuse({ model, effort }: ModelRequest, { thinkingDisplay }: WireOptions): void {
  const objection = objectionTo(model, { effort, thinkingDisplay });
  if (objection !== undefined)
    throw new ModelFailure(`The request was not sent: ${objection}`, { kind: 'http', retryable: false });
}

function tokensIn(answer: unknown): number {
  const tokens =
    typeof answer === 'object' && answer !== null && 'input_tokens' in answer && answer.input_tokens;
  if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) return tokens;
  throw new ModelFailure('The answer names no number of tokens', { kind: 'malformed', retryable: true });
}
