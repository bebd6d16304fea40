import { ModelFailure } from './client.ts';

/** Far more than the longest reply: 128,000 tokens, each in an event of its own, make about 30 MB. */
const MOST_REPLY_BYTES = 64 * 1024 * 1024;

/**
 * Passes a body on, as far as a reply may go. What reads behind it may keep all that it is given. Leaving the loop
 * destroys the stream and with it the connection.
 */
export async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MOST_REPLY_BYTES)
      throw new ModelFailure(
        'The reply is malformed: it is larger than 64 MB, so it was not read to its end',
        {
          kind: 'malformed',
          retryable: false,
        },
      );
    yield chunk;
  }
}
