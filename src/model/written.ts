/** A conversation as JSON in bytes. What was sent is kept, since a run sends it again with every turn. */
import type { Message } from '../../machines/protocol.ts';

export interface Written {
  readonly messages: readonly Message[];
  /** The messages, with commas between them. */
  readonly bytes: Buffer;
  /** Where each message ends in the bytes. */
  readonly ends: readonly number[];
}

interface Kept extends Written {
  /** `bytes` are its beginning. The rest is for what comes: only what is written once more is copied. */
  readonly room: Buffer;
}

const NOTHING: Kept = { messages: [], bytes: Buffer.alloc(0), ends: [], room: Buffer.alloc(0) };

/** What each conversation came to the last time, under its first message. */
const known = new WeakMap<Message, Kept>();

/** Messages are never changed once they are made: what has been added to one is a new message. */
export function written(messages: readonly Message[]): Written {
  const [first] = messages;
  if (first === undefined) return NOTHING;
  const before = known.get(first) ?? NOTHING;
  const shared = sharedLength(before.messages, messages);
  const ends = before.ends.slice(0, shared);
  const start = ends.at(-1) ?? 0;
  const added = messages.slice(shared).map((message, at) => {
    const json = Buffer.from((shared + at > 0 ? ',' : '') + jsonOf(message));
    ends.push((ends.at(-1) ?? 0) + json.length);
    return json;
  });
  const length = ends.at(-1) ?? 0;
  // Bytes that an earlier request is made of are never written over.
  const isContinued = shared === before.messages.length && length <= before.room.length;
  const room = isContinued ? before.room : Buffer.allocUnsafeSlow(2 * length);
  if (!isContinued) before.bytes.copy(room, 0, 0, start);
  Buffer.concat(added).copy(room, start);
  const now = { messages: [...messages], bytes: room.subarray(0, length), ends, room };
  known.set(first, now);
  return now;
}

/** The content stands last: a mark on its last block has its place counted from the end. */
const jsonOf = ({ role, content }: Message): string => JSON.stringify({ role, content });

function sharedLength(some: readonly Message[], others: readonly Message[]): number {
  const differs = some.findIndex((message, at) => message !== others[at]);
  return differs < 0 ? some.length : differs;
}
