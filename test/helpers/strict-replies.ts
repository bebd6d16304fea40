/** What the strict server can be told to answer: a message, or one of the faults that services and proxies have. */
import type http from 'node:http';
import { setImmediate as turnOfTheLoop, setTimeout as wait } from 'node:timers/promises';
import {
  type Block,
  type Fields,
  headOf,
  isEmptyText,
  isFields,
  signatureOf,
  stepKey,
  stepsOf,
} from './strict-form.ts';
import type { SentReply } from './strict-rules.ts';
import { encode, eventsOf, type StreamEvent } from './strict-stream.ts';

/** A reset overtakes what was written before it, unless that has been read. */
const RESET_DELAY_MS = 30;

export interface MessageReply extends Fields {
  readonly content: readonly Block[];
  readonly stop_reason: string | null;
  readonly usage?: Fields;
  readonly fault?: undefined;
}

export type Fault =
  | {
      readonly fault: 'status';
      readonly status: number;
      readonly headers?: http.OutgoingHttpHeaders;
      readonly body?: unknown;
    }
  | {
      readonly fault: 'body';
      readonly status?: number;
      readonly content_type?: string;
      readonly headers?: http.OutgoingHttpHeaders;
      readonly text?: string | Buffer;
    }
  | {
      readonly fault: 'sse';
      readonly events: readonly StreamEvent[];
      readonly end?: 'close' | 'reset' | 'hang' | 'ping';
      readonly every_ms?: number;
      /** What a complete stream amounts to, where it is not simply one text. */
      readonly content?: readonly Block[];
    }
  | { readonly fault: 'delay'; readonly ms: number; readonly reply: StrictReply }
  /** The connection is reset before any answer. */
  | { readonly fault: 'reset' };

export type StrictReply = MessageReply | Fault;

/** `sent` takes up each complete reply. */
export interface Stage {
  readonly request: Fields;
  readonly response: http.ServerResponse;
  readonly sent: SentReply[];
  readonly chunkBytes: number | undefined;
  /** Of replies that state none. */
  readonly usageOf: (request: Fields) => Fields;
}

export async function play(reply: StrictReply, stage: Stage): Promise<void> {
  const { response } = stage;
  switch (reply.fault) {
    case undefined:
      return sendMessage(reply, stage);
    case 'status':
      return sendJson(
        response,
        reply.status,
        reply.body ?? errorBody('api_error', 'scripted'),
        reply.headers,
      );
    case 'body':
      response.writeHead(reply.status ?? 200, {
        'content-type': reply.content_type ?? 'text/plain',
        ...reply.headers,
      });
      response.end(reply.text ?? '');
      return;
    case 'sse':
      return sendEvents(reply, stage);
    case 'delay': {
      const timer = setTimeout(() => {
        play(reply.reply, stage).catch((error) => response.destroy(error));
      }, reply.ms);
      response.once('close', () => clearTimeout(timer));
      return;
    }
    case 'reset':
      response.socket?.resetAndDestroy();
  }
}

async function sendMessage(reply: MessageReply, stage: Stage): Promise<void> {
  const { request, response, sent } = stage;
  const message = {
    id: `msg_${sent.length + 1}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    stop_sequence: null,
    usage: stage.usageOf(request),
    ...reply,
    content: signed(reply.content, request),
  };
  sent.push({ content: message.content, stop_reason: reply.stop_reason });
  if (request.stream !== true) return sendJson(response, 200, message);
  await write(eventsOf(message), stage);
  response.end();
}

function signed(content: readonly Block[], body: Fields): Block[] {
  const head = headOf(body);
  const before = stepsOf(body).map(stepKey);
  return content.map((block) => {
    const own =
      block.type === 'thinking' ? { ...block, signature: signatureOf(head, before, block.thinking) } : block;
    if (!isEmptyText(block)) before.push(stepKey({ role: 'assistant', block: own }));
    return own;
  });
}

async function sendEvents(reply: Extract<Fault, { fault: 'sse' }>, stage: Stage): Promise<void> {
  const { response, sent } = stage;
  if (reply.events.some(([type]) => type === 'message_stop'))
    sent.push({
      content: reply.content ?? [{ type: 'text', text: streamedText(reply.events) }],
      stop_reason: null,
    });
  await write(reply.events, stage);
  if (reply.end === 'hang') return;
  if (reply.end === 'ping') {
    const timer = setInterval(() => response.write(encode(['ping', {}])), reply.every_ms ?? 100);
    response.once('close', () => clearInterval(timer));
  } else if (reply.end === 'reset') {
    await wait(RESET_DELAY_MS);
    response.socket?.resetAndDestroy();
  } else response.end();
}

const streamedText = (events: readonly StreamEvent[]): string =>
  events
    .flatMap(([, data]) => (isFields(data) && isFields(data.delta) ? [data.delta.text] : []))
    .filter((text) => typeof text === 'string')
    .join('');

async function write(events: readonly StreamEvent[], { response, chunkBytes }: Stage): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  const bytes = Buffer.from(events.map(encode).join(''));
  for (let start = 0; start < bytes.length; start += chunkBytes ?? bytes.length) {
    response.write(bytes.subarray(start, start + (chunkBytes ?? bytes.length)));
    // The reader takes the piece before the next is there to be joined to it.
    await turnOfTheLoop();
  }
}

export const errorBody = (type: string, message: string): Fields => ({
  type: 'error',
  error: { type, message },
});

export function sendJson(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
