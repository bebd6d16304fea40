import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordBody } from '../../src/journal/record.ts';
import { Transcript } from '../../src/journal/transcript.ts';
import { unanswered } from '../helpers/history.ts';
import {
  finished,
  header,
  message,
  recorded,
  refused,
  reply,
  summary,
  text,
  toolUse,
} from '../helpers/records.ts';

/** How a call comes to its result. */
type Fate = 'finished' | 'failed' | 'refused' | 'denied';
/** What happens in a turn: a round of calls, or a reply of another kind. */
type Happening =
  | { readonly fates: readonly Fate[]; readonly order: readonly number[] }
  | 'paused'
  | 'cut'
  | 'blank';
type Ending = 'answer' | 'cancelled amid calls' | 'summary' | 'summary with a call';

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { arbitrary: fc.constantFrom('paused', 'cut', 'blank'), weight: 1 },
  {
    arbitrary: fc.record({
      fates: fc.array(fc.constantFrom<Fate>('finished', 'failed', 'refused', 'denied'), {
        minLength: 1,
        maxLength: 4,
      }),
      order: fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
    }),
    weight: 3,
  },
);
const ending = fc.constantFrom<Ending>('answer', 'cancelled amid calls', 'summary', 'summary with a call');

function settle(turn: number, id: string, fate: Fate): RecordBody[] {
  switch (fate) {
    case 'refused':
      return [refused(turn, id, 'wrong')];
    case 'denied':
      return [{ type: 'approval.denied', turn, callId: id, content: 'no' }];
    default:
      return [{ type: 'tool.started', turn, callId: id }, finished(turn, id, '', fate === 'failed')];
  }
}

function recordsOf(happenings: readonly Happening[], end: Ending): RecordBody[] {
  const rounds = happenings.flatMap((one, index) => {
    const turn = index + 1;
    if (one === 'paused') return [reply(turn, message('pause_turn', text('…')))];
    if (one === 'cut') return [reply(turn, message('max_tokens', toolUse(`${turn}-0`)))];
    if (one === 'blank') return [reply(turn, message('end_turn', text(' '), text('')))];
    const ids = one.fates.map((_, at) => `${turn}-${at}`);
    const inSomeOrder = one.fates
      .map((fate, at) => ({ fate, id: ids[at] ?? '', place: one.order[at] ?? 0 }))
      .sort((a, b) => a.place - b.place);
    return [
      reply(turn, message('tool_use', text('I call'), ...ids.map((id) => toolUse(id)))),
      ...inSomeOrder.flatMap(({ id, fate }) => settle(turn, id, fate)),
      recorded(turn, ...ids),
    ];
  });
  return [header(), ...rounds, ...endOf(happenings.length + 1, end)];
}

function endOf(turn: number, end: Ending): RecordBody[] {
  const close = (turn: number, ids: readonly string[], notice: string | null): RecordBody => ({
    type: 'run.closing',
    turn,
    stop: { status: 'max_turns' },
    results: ids.map((callId) => ({ callId, content: 'not run' })),
    notice,
  });
  switch (end) {
    case 'answer':
      return [reply(turn, message('end_turn', text('done')))];
    case 'cancelled amid calls':
      return [
        reply(turn, message('tool_use', toolUse('x'), toolUse('y'))),
        finished(turn, 'y', 'ran'),
        close(turn, ['x'], null),
      ];
    case 'summary':
      return [close(turn, [], 'Conclude.'), summary(turn + 1, message('end_turn', text('so far')))];
    case 'summary with a call':
      return [
        close(turn, [], 'Conclude.'),
        summary(turn + 1, message('tool_use', toolUse('z'))),
        close(turn + 1, ['z'], null),
      ];
  }
}

const flat = ({ messages }: Transcript): string[] =>
  messages.flatMap(({ role, content }) =>
    (content as readonly unknown[]).map((block) => `${role} ${JSON.stringify(block)}`),
  );

describe('the message list of any run', () => {
  it('only ever grows at its end', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 6 }), ending, (happenings, end) => {
        const transcript = new Transcript();
        let before: string[] = [];
        for (const record of recordsOf(happenings, end)) {
          transcript.apply(record);
          const now = flat(transcript);
          expect(now.slice(0, before.length)).toEqual(before);
          before = now;
        }
      }),
    );
  });

  it('leaves the messages that were handed out as they were', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 6 }), ending, (happenings, end) => {
        const transcript = new Transcript();
        const handedOut = recordsOf(happenings, end).map((record) => {
          transcript.apply(record);
          return { messages: [...transcript.messages], text: JSON.stringify(transcript.messages) };
        });
        for (const { messages, text } of handedOut) expect(JSON.stringify(messages)).toBe(text);
      }),
    );
  });

  it('has one result for each call, in the user message right behind it', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 6 }), ending, (happenings, end) => {
        const transcript = new Transcript();
        for (const record of recordsOf(happenings, end)) transcript.apply(record);
        expect(unanswered(transcript.messages)).toEqual([]);
      }),
    );
  });
});
