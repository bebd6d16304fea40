import type { AssistantMessage } from '../../machines/protocol.ts';
import type { ReplyAccumulator } from './accumulate.ts';
import { type AskOptions, ModelFailure } from './client.ts';
import { oneLine } from './one-line.ts';

/** Milliseconds that a server gets to close a reply which is complete; then its connection is given up. */
const CLOSING_TIME_MS = 250;

export type Stream = AsyncIterable<unknown> & { readonly controller: AbortController };

/**
 * Reads the stream through. What comes after the end event cannot change the reply; it is read so that the connection
 * can serve the next turn.
 */
export async function readReply(
  stream: Stream,
  response: Response,
  reply: ReplyAccumulator,
  { signal, onActivity }: AskOptions,
): Promise<AssistantMessage> {
  let closing: NodeJS.Timeout | undefined;
  try {
    for await (const event of stream) {
      if (reply.isComplete) continue;
      onActivity?.('progress');
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
