import type { Fetch } from './fetch.ts';

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

async function* piecesOf(body: AsyncIterable<Uint8Array>, onLife: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    onLife();
    yield piece;
  }
}
