/**
 * A `fetch` for the SDK on Node's own HTTP client. The built-in one copies each piece of a stream through web streams,
 * which costs about a fifth of a turn. It does what one POST with a text body needs and nothing else, by way of the proxy
 * that the environment may name: redirects are handed back as answers, and of a response it has only what the SDK reads.
 */
import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { obstacleToJson } from './plain-json.ts';
import { mayHaveProxy, proxyAgent } from './proxy.ts';
import type { TunnelOptions } from './tunnel.ts';

export type Fetch = typeof globalThis.fetch;

/** Connections wait for the next turn. Waiting ones are unreferenced: they do not keep the process. */
const AGENTS = {
  http: new http.Agent({ keepAlive: true }),
  https: new https.Agent({ keepAlive: true }),
};

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
]);

/** Bytes of an error page that are worth reading, and far more than any short answer has. */
const LONGEST_ERROR_BODY = 64 * 1024;

export const nodeFetch: Fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const agent = mayHaveProxy() ? await proxyAgent(url) : undefined;
  return send(url, init, agent);
};

/** Settles in every case: the SDK keeps a timer, and so the process, until it does. */
const send = (url: URL, init: RequestInit, proxy: http.Agent | undefined): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { body, signal } = init;
    if (body && typeof body !== 'string' && !Buffer.isBuffer(body))
      throw new TypeError('Only text and bytes can be sent');
    const isSecure = url.protocol === 'https:';
    const options: https.RequestOptions & TunnelOptions = {
      method: init.method ?? 'GET',
      headers: { ...Object.fromEntries(headersIn(init)), 'accept-encoding': 'identity' },
      agent: proxy ?? (isSecure ? AGENTS.https : AGENTS.http),
      // Ends the request whether or not the response has begun.
      ...(signal && { signal, tunnelSignal: signal }),
    };
    const request = (isSecure ? https : http).request(url, options);
    request.once('response', (message) => {
      try {
        resolve(responseOf(url, message));
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(switched());
    });
    // Comes last of all, and after the response changes nothing.
    request.once('close', () => reject(new Error('the connection was closed without an answer')));
    // Stays on after the response: a later error reaches the reader of the body as well, and must not go unheard here.
    request.on('error', reject);
    request.end(body);
  });

const headersIn = ({ headers }: RequestInit): Headers =>
  headers instanceof Headers ? headers : new Headers(headers);

const switched = (): Error => new Error('the server switches to another protocol (101)');

/**
 * The part of a Response that the SDK uses: an iterable `body` for streams, `text()` for errors and `json()` for short
 * answers, both of which read no more than a start.
 */
function responseOf(url: URL, message: http.IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  // Without a header that says to which protocol, it comes as an answer.
  if (status === 101) throw switched();
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const body = decoded(message);
  const response = {
    url: url.href,
    status,
    ok: status >= 200 && status < 300,
    headers,
    body,
    text: () => errorText(body),
    json: async () => JSON.parse(await startOf(body)),
  };
  return response as unknown as Response;
}

/** Plain bytes, from servers too that compress without being asked. */
function decoded(message: http.IncomingMessage): Readable {
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return message;
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) throw new Error(`the server answers in an unknown encoding: ${encoding}`);
  // The callback has nothing to add: a failure destroys the decoder with its error, and the reader is told.
  pipeline(message, decoder, () => {});
  return decoder;
}

/** The SDK writes an error that is JSON as JSON again, by recursion. One that the stack would not bear is no JSON to it. */
async function errorText(body: Readable): Promise<string> {
  const text = await startOf(body);
  return isDeepJson(text) ? text.slice(0, 1_000) : text;
}

function isDeepJson(text: string): boolean {
  try {
    return obstacleToJson(JSON.parse(text)) !== undefined;
  } catch {
    return false;
  }
}

async function startOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= LONGEST_ERROR_BODY) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, LONGEST_ERROR_BODY);
}
