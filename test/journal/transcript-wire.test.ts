import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../machines/protocol.ts';
import { Transcript } from '../../src/journal/transcript.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const call = { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} };
const thinking = { type: 'thinking', thinking: '', signature: 'c2ln' };

function heard(content: readonly ContentBlock[], stop_reason: string) {
  const transcript = new Transcript();
  const message = { content, stop_reason };
  transcript.apply({ type: 'reply.received', turn: 1, attempt: 1, message, problems: [], costUsd: 0 });
  return transcript.messages;
}

describe('a reply in the message list', () => {
  it.each([
    ['an empty text is left out', [thinking, text(''), call], [thinking, call]],
    [
      'white space between other blocks stays',
      [thinking, text('\n'), thinking, call],
      [thinking, text('\n'), thinking, call],
    ],
    ['blocks of unknown types stay', [{ type: 'novel', x: null }, call], [{ type: 'novel', x: null }, call]],
  ])('%s', (_, content, sent) => {
    expect(heard(content, 'tool_use')).toEqual([{ role: 'assistant', content: sent }]);
  });

  it('that paused with nothing but blanks is not sent at all', () => {
    expect(heard([text(''), text(' ')], 'pause_turn')).toEqual([]);
  });
});
