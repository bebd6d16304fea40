import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../machines/protocol.ts';
import { written } from '../../src/model/written.ts';

const says = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const json = (messages: readonly Message[]): string => messages.map((one) => JSON.stringify(one)).join(',');

/** How much of the history before is kept, and what is said behind it. */
const step = fc.record({ keep: fc.nat(12), texts: fc.array(fc.string({ unit: 'binary', maxLength: 300 })) });

describe('a conversation in bytes', () => {
  it('is what its messages are, whatever was written before, and what was written before stays as it was', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let messages = [says('the task')];
        const earlier: { readonly bytes: Buffer; readonly text: string }[] = [];
        for (const { keep, texts } of steps) {
          messages = [...messages.slice(0, keep + 1), ...texts.map(says)];
          const { bytes, ends } = written(messages);
          expect(bytes.toString()).toBe(json(messages));
          expect(ends).toEqual(messages.map((_, at) => Buffer.byteLength(json(messages.slice(0, at + 1)))));
          earlier.push({ bytes, text: json(messages) });
        }
        for (const { bytes, text } of earlier) expect(bytes.toString()).toBe(text);
      }),
    );
  });

  it('is copied once more only where it has outgrown its room', () => {
    const messages = [says('the task')];
    const rooms = new Set<ArrayBufferLike>();
    for (let at = 0; at < 1_000; at += 1) {
      messages.push(says('x'.repeat(100)));
      rooms.add(written(messages).bytes.buffer);
    }
    expect(rooms.size).toBeLessThan(12);
  });
});
