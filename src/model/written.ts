/** A conversation as JSON in bytes. What was sent is kept, since a run sends it again with every turn. */
import type { Message } from '../../machines/protocol.ts';

export interface Written {
  readonly messages: readonly Message[];
  /** The messages, with commas between them. */
  readonly bytes: Buffer;
  /** Where each message ends in the bytes. */
  readonly ends: readonly number[];
}

/** What each conversation came to the last time, under its first message. */
const known = new WeakMap<Message, Written>();

/** Messages are never changed once they are made: what has been added to one is a new message. */
export function written(messages: readonly Message[]): Written {
  const [first] = messages;
  if (first === undefined) return { messages, bytes: Buffer.alloc(0), ends: [] };
  const before = known.get(first) ?? { messages: [], bytes: Buffer.alloc(0), ends: [] };
  const shared = sharedLength(before.messages, messages);
  const ends = before.ends.slice(0, shared);
  const parts = [before.bytes.subarray(0, ends.at(-1) ?? 0)];
  for (const message of messages.slice(shared)) {
    const json = Buffer.from((ends.length > 0 ? ',' : '') + jsonOf(message));
    parts.push(json);
    ends.push((ends.at(-1) ?? 0) + json.length);
  }
  const now = { messages: [...messages], bytes: Buffer.concat(parts), ends };
  known.set(first, now);
  return now;
}

/** The content stands last: a mark on its last block has its place counted from the end. */
const jsonOf = ({ role, content }: Message): string => JSON.stringify({ role, content });

function sharedLength(some: readonly Message[], others: readonly Message[]): number {
  const differs = some.findIndex((message, at) => message !== others[at]);
  return differs < 0 ? some.length : differs;
}
