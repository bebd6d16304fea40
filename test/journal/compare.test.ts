import { describe, expect, it } from 'vitest';
import { compareRuns, differences } from '../../src/journal/compare.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { finished, header, message, reply, text, toolUse } from '../helpers/records.ts';

const run = (day: number, ...bodies: readonly RecordBody[]): JournalRecord[] =>
  bodies.map((body, seq) => ({ seq, at: `2026-11-0${day}T09:45:12.000Z`, ...body }));

const CALL = reply(1, message('tool_use', toolUse('a', 'look', { path: 'x' })));

describe('two runs', () => {
  it('are the same, whatever they are called, when they were, and how long their calls took', () => {
    const left = run(1, header({ runId: 'one' }), CALL, finished(1, 'a', 'seen'));
    const right = run(2, header({ runId: 'two', origin: { runId: 'one', seq: 2 } }), CALL, {
      ...finished(1, 'a', 'seen'),
      durationMs: 900,
    } as RecordBody);
    expect(compareRuns(left, right)).toEqual({ outcome: 'same', equal: 3 });
  });

  it('may be one the beginning of the other', () => {
    const [short, long] = [run(1, header()), run(1, header(), CALL)];
    expect(compareRuns(short, long)).toEqual({ outcome: 'prefix', equal: 1, shorter: 'left' });
    expect(compareRuns(long, short)).toEqual({ outcome: 'prefix', equal: 1, shorter: 'right' });
  });

  it('part at the first record that is different, with the fields that are', () => {
    const other = reply(1, message('tool_use', toolUse('a', 'look', { path: 'y', all: true })));
    expect(compareRuns(run(1, header(), CALL), run(1, header(), other))).toEqual({
      outcome: 'differ',
      equal: 1,
      differences: [
        { path: 'message.content[0].input.path', left: 'x', right: 'y' },
        { path: 'message.content[0].input.all', left: undefined, right: true },
      ],
    });
  });

  it('with records of two types part in that alone', () => {
    const left = run(1, header(), CALL);
    const right = run(1, header(), finished(1, 'a', 'seen'));
    expect(compareRuns(left, right)).toMatchObject({
      differences: [{ path: 'type', left: 'reply.received', right: 'tool.finished' }],
    });
  });
});

describe('two values', () => {
  it.each([
    ['the same fields in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, []],
    ['an element more', [1], [1, 2], [{ path: '[1]', left: undefined, right: 2 }]],
    ['a list and an object', { a: [] }, { a: {} }, [{ path: 'a', left: [], right: {} }]],
    ['null and nothing', { a: null }, {}, [{ path: 'a', left: null, right: undefined }]],
    ['two texts', [text('x')], [text('y')], [{ path: '[0].text', left: 'x', right: 'y' }]],
  ])('are compared field by field: %s', (_, left, right, found) => {
    expect(differences(left, right)).toEqual(found);
  });
});
