/** Which reply of a script answers a request. */
import { type ContentBlock, isText, type Message } from '../../machines/protocol.ts';
import { ModelFailure, type ModelRequest } from './client.ts';
import { type CheckedReply, checkReply, type Script } from './script.ts';

/** `n`: number of the request, from 1. Rejects with a ModelFailure of the kind `script`. */
export type NextReply = (request: ModelRequest, n: number) => Promise<CheckedReply>;

/** The first reply from the cursor on that fits is used; what was passed over does not come back. */
export function inOrder(
  replies: readonly CheckedReply[],
  name: string,
  answered: readonly Message[],
): NextReply {
  let cursor = 0;
  const next = (messages: readonly Message[]): CheckedReply | undefined => {
    const heard = lastUserText(messages);
    const found = replies.findIndex(({ when }, index) => index >= cursor && (when?.test(heard) ?? true));
    if (found !== -1) cursor = found + 1;
    return replies[found];
  };
  for (const message of answered) next([message]);
  return async ({ messages }, n) => {
    const reply = next(messages);
    if (reply === undefined) throw scriptFailure(silence(replies, cursor, n, name));
    return reply;
  };
}

/** The script is a function. What it does wrong ends the run like a script that is too short. */
export function byFunction(
  script: Extract<Script, (...parameters: never[]) => unknown>,
  name: string,
): NextReply {
  return async (request, n) => {
    try {
      return checkReply(await script(structuredClone(request), n), n, name);
    } catch (error) {
      throw scriptFailure(error instanceof Error ? error.message : String(error), error);
    }
  };
}

const scriptFailure = (message: string, cause?: unknown): ModelFailure =>
  new ModelFailure(message, { kind: 'script', retryable: false, cause });

function silence(replies: readonly CheckedReply[], cursor: number, n: number, name: string): string {
  const patterns = replies.slice(cursor).map(({ when }) => String(when));
  const why =
    patterns.length === 0
      ? 'none is left. Add one to it'
      : `none of those left fits what the model was told: ${patterns.join(', ')}`;
  return `${name} has no reply to request ${n}: of ${replies.length} replies, ${why}`;
}

/** What the model was told last: texts and results of the newest user message. */
function lastUserText(messages: readonly Message[]): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : textsIn(content).join('\n');
}

const textsIn = (content: readonly ContentBlock[]): string[] =>
  content.flatMap((block) => {
    if (isText(block)) return [block.text];
    if (typeof block.content === 'string') return [block.content];
    return Array.isArray(block.content) ? textsIn(block.content) : [];
  });
