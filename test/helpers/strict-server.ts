/**
 * A Messages API on the loopback address that is as strict as the service: each request is checked, an unacceptable
 * one is answered 400, and thinking blocks are signed over everything before them.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { betaViolations } from './strict-betas.ts';
import { type Fields, isFields } from './strict-form.ts';
import { errorBody, play, type StrictReply, sendJson } from './strict-replies.ts';
import { type History, type SentReply, violations } from './strict-rules.ts';

export type { Fault, MessageReply, StrictReply } from './strict-replies.ts';

export interface StrictRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Fields;
  readonly raw: string;
  /** Why it was, or with `lenient` would have been, refused. */
  readonly violations: readonly string[];
}

export interface StrictOptions {
  /** Streams are cut into pieces of so many bytes, wherever that falls. */
  readonly chunkBytes?: number;
  /** Violations are noted and not answered 400. */
  readonly lenient?: boolean;
  /** What an earlier server has seen and sent, where a conversation goes on with this one. */
  readonly history?: History;
  /** Tokens of the context window. Default: no end. */
  readonly window?: number;
  /** Those of a request. Default: as many as bytes. */
  readonly tokensOf?: (request: Fields) => number;
  /** Nobody is told how many tokens a request has. */
  readonly countless?: true;
  /** The usage of replies that state none. Default: one token in, one out. */
  readonly usageOf?: (request: Fields) => Fields;
}

export interface StrictServer {
  readonly url: string;
  readonly requests: readonly StrictRequest[];
  readonly history: History;
  /** Questions how many tokens a request has; they are no part of the conversation. */
  readonly counts: readonly StrictRequest[];
  /** Connections that were opened so far. */
  readonly connections: number;
  close(): Promise<void>;
}

const COUNT_PATH = '/v1/messages/count_tokens';

/** One reply for each request; a function is given the request first. */
export async function startStrictServer(
  replies: readonly (StrictReply | ((request: StrictRequest) => StrictReply))[],
  options: StrictOptions = {},
): Promise<StrictServer> {
  const queue = [...replies];
  const requests: StrictRequest[] = [];
  const counts: StrictRequest[] = [];
  const accepted: Fields[] = [...(options.history?.requests ?? [])];
  const sent: SentReply[] = [...(options.history?.sent ?? [])];
  const { usageOf = () => ({ input_tokens: 1, output_tokens: 1 }) } = options;
  let connections = 0;

  const answer = async (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    const request = await receive(incoming, { requests: accepted, sent });
    const isCount = request.path.endsWith(COUNT_PATH);
    (isCount ? counts : requests).push(request);
    response.setHeader('request-id', `req_${requests.length}`);
    const size = options.tokensOf?.(request.body) ?? request.raw.length;
    const refusal =
      refusalOf(request, options.lenient ?? false) ??
      (isCount ? undefined : windowRefusal(request.body, size, options.window));
    if (refusal) return sendJson(response, refusal.status, errorBody(refusal.type, refusal.message));
    if (isCount && options.countless)
      return sendJson(response, 404, errorBody('not_found_error', 'Not Found'));
    if (isCount) return sendJson(response, 200, { input_tokens: size });
    accepted.push(request.body);
    const next = queue.shift();
    if (next === undefined)
      return sendJson(response, 400, errorBody('invalid_request_error', 'no more replies'));
    const reply = typeof next === 'function' ? next(request) : next;
    await play(reply, { request: request.body, response, sent, chunkBytes: options.chunkBytes, usageOf });
  };

  const server = http.createServer((incoming, response) => {
    answer(incoming, response).catch((error) => {
      if (response.headersSent || !incoming.complete) response.destroy();
      else sendJson(response, 400, errorBody('invalid_request_error', `the test failed: ${error}`));
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    counts,
    history: { requests: accepted, sent },
    get connections() {
      return connections;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** In the words of the service: the older models refuse what leaves no room for all of the output, too. */
function windowRefusal(
  { max_tokens }: Fields,
  size: number,
  most = Number.POSITIVE_INFINITY,
): Refusal | undefined {
  const output = Number(max_tokens);
  const refused = (message: string) => ({ status: 400, type: 'invalid_request_error', message });
  if (size > most) return refused(`prompt is too long: ${size} tokens > ${most} maximum`);
  if (size + output <= most) return undefined;
  return refused(
    `input length and \`max_tokens\` exceed context limit: ${size} + ${output} > ${most}, decrease input length or \`max_tokens\` and try again`,
  );
}

async function receive(incoming: http.IncomingMessage, history: History): Promise<StrictRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const raw = Buffer.concat(chunks).toString('utf8');
  const { method = '', url: path = '', headers } = incoming;
  const body = parsed(raw);
  const judged = path.endsWith(COUNT_PATH) && isFields(body) ? { max_tokens: 1, ...body } : body;
  const found = body === undefined ? ['The request body is not valid JSON'] : violations(judged, history);
  found.push(...betaViolations(body, headers['anthropic-beta']));
  if (judged !== body && isFields(body) && ('max_tokens' in body || 'stream' in body))
    found.push('max_tokens, stream: Extra inputs are not permitted');
  return { method, path, headers, raw, body: isFields(body) ? body : {}, violations: found };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

function refusalOf(
  { method, path, headers, violations: found }: StrictRequest,
  lenient: boolean,
): Refusal | undefined {
  const isKnown = path.endsWith('/v1/messages') || path.endsWith(COUNT_PATH);
  if (method !== 'POST' || !isKnown || path.includes('/v1/v1'))
    return { status: 404, type: 'not_found_error', message: 'Not Found' };
  if (!/^Bearer \S/.test(headers.authorization ?? '') && !headers['x-api-key'])
    return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' };
  if (!headers['anthropic-version'])
    return { status: 400, type: 'invalid_request_error', message: 'anthropic-version: header is required' };
  const [first] = found;
  return first === undefined || lenient
    ? undefined
    : { status: 400, type: 'invalid_request_error', message: first };
}
