import { ModelFailure } from './client.ts';
import type { Fetch } from './fetch.ts';

/** Far more than the longest reply: 128,000 tokens, each in an event of its own, make about 30 MB. */
const MOST_REPLY_BYTES = 64 * 1024 * 1024;

/** Who wants to know of the signs of life that answer a request: headers, and pieces of a body. */
export type Listeners = WeakMap<object, () => void>;

/**
 * The same fetch, which tells the listener of each request. The SDK keeps pings to itself. Requests are known by their
 * bodies, which the SDK passes on as they are: a client of the SDK for each would cost half a millisecond. What comes of
 * it is the part of a Response that the SDK reads.
 */
export const observed =
  (fetch: Fetch, listeners: Listeners): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const onLife = init?.body instanceof Object ? listeners.get(init.body) : undefined;
    if (onLife === undefined) return response;
    onLife();
    const { url, status, ok, headers, body } = response;
    const seen = {
      url,
      status,
      ok,
      headers,
      body: body && piecesOf(body, onLife),
      text: () => response.text(),
    };
    return seen as unknown as Response;
  };

/**
 * Passes a body on, as far as a reply may go: what reads behind it may keep all that it is given. Leaving the loop destroys
 * the stream and with it the connection.
 */
async function* piecesOf(body: AsyncIterable<Uint8Array>, onLife: () => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > MOST_REPLY_BYTES) throw tooLarge();
    onLife();
    yield piece;
  }
}

const tooLarge = (): ModelFailure =>
  new ModelFailure('The reply is malformed: it is larger than 64 MB, so it was not read to its end', {
    kind: 'malformed',
    retryable: false,
  });
