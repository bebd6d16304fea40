/** A model that says what a script tells it to: for tests, examples and rehearsals, and loud where the script ends. */
import { setTimeout as wait } from 'node:timers/promises';
import { type ContentBlock, isText, isToolUse, type Message } from '../../machines/protocol.ts';
import { type AskOptions, type ModelClient, ModelFailure } from './client.ts';
import { httpFailure } from './failure.ts';
import { type CheckedReply, checkScript, type Script } from './script.ts';
import { byFunction, inOrder } from './script-cursor.ts';

/** The longest wait that a timer can hold. It keeps the process alive, as an open connection would. */
const FOR_EVER_MS = 2 ** 31 - 1;

/**
 * @param name for people, and in the errors of the script: "script.yaml". Throws an Error on a wrong script.
 * @param answered what the model was told last with each request that an earlier process had answered by this script
 */
export function scriptedModel(
  script: Script,
  name = 'the script',
  answered: readonly Message[] = [],
): ModelClient {
  const written = typeof script === 'function' ? [] : checkScript(script, name);
  const nextReply =
    typeof script === 'function' ? byFunction(script, name) : inOrder(written, name, answered);
  const newIdIn = idSource(written);
  let requests = answered.length;
  return {
    name,
    async ask(request, options) {
      options.signal.throwIfAborted();
      requests += 1;
      const n = requests;
      const reply = await nextReply(request, n);
      if (reply.delay_ms) await wait(reply.delay_ms, undefined, { signal: options.signal });
      if (reply.fault !== undefined) return fail(reply, name, options);
      const content = contentOf(reply, newIdIn(request.messages));
      for (const block of content.filter(isText)) speak(block.text, options);
      options.onActivity?.('progress');
      return {
        id: `msg_${n}`,
        type: 'message',
        role: 'assistant',
        model: request.model,
        content,
        stop_reason: stopReasonOf(reply, content),
        stop_sequence: null,
        usage: structuredClone(reply.usage ?? { input_tokens: 1, output_tokens: 1 }),
      };
    },
  };
}

/** null is a stop reason that a script can ask for. */
function stopReasonOf({ stop_reason }: CheckedReply, content: readonly ContentBlock[]): string | null {
  if (stop_reason !== undefined) return stop_reason;
  return content.some(isToolUse) ? 'tool_use' : 'end_turn';
}

/** A copy: what becomes of a reply must not change the script. */
function contentOf({ text, calls, content }: CheckedReply, newId: () => string): ContentBlock[] {
  if (content !== undefined) return structuredClone(content);
  return [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(calls ?? []).map(({ name, input, id }) => ({
      type: 'tool_use',
      id: id ?? newId(),
      name,
      input: input === undefined ? {} : structuredClone(input),
    })),
  ];
}

/**
 * Makes up the ids call_1, call_2 … The service takes each id once in a conversation, and an earlier process may have
 * begun it: ids of the script and of the history are passed over.
 */
function idSource(replies: readonly CheckedReply[]): (history: readonly Message[]) => () => string {
  const taken = new Set<unknown>(
    replies.flatMap(({ calls, content }) => [...(calls ?? []), ...(content ?? [])]).map(({ id }) => id),
  );
  let made = 0;
  return (history) => {
    for (const { content } of history)
      for (const block of typeof content === 'string' ? [] : content) taken.add(block.id);
    return () => {
      do made += 1;
      while (taken.has(`call_${made}`));
      return `call_${made}`;
    };
  };
}

/** In pieces, as from a stream. */
function speak(text: string, { onText, onActivity }: AskOptions): void {
  for (const piece of text.match(/.{1,16}/gsu) ?? []) {
    onActivity?.('progress');
    onText?.(piece);
  }
}

async function fail({ fault, text }: CheckedReply, name: string, options: AskOptions): Promise<never> {
  if (typeof fault === 'object') {
    const headers = new Headers(
      fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) },
    );
    throw httpFailure(
      { status: fault.status, text: fault.message ?? 'as the script says', headers },
      { endpoint: name },
    );
  }
  if (fault === 'connection')
    throw new ModelFailure(`No answer from ${name}: as the script says`, {
      kind: 'connection',
      retryable: true,
    });
  speak(text ?? 'Half of a', options);
  if (fault === 'hang') await wait(FOR_EVER_MS, undefined, { signal: options.signal });
  throw new ModelFailure('The reply broke off: as the script says', { kind: 'interrupted', retryable: true });
}
