import { describe, expect, it } from 'vitest';
import type { LoopContext } from '../../machines/context.ts';
import type { Limits } from '../../machines/limits.ts';
import { stateName } from '../../machines/state-name.ts';
import { type Call, REPETITION_NOTICE } from '../../machines/turn.ts';
import { at, call, judged, LIMITS, message } from './given.ts';
import { step } from './step.ts';

describe('an empty reply', () => {
  const empty = message('end_turn', []);

  it.each<[string, Partial<LoopContext>, string]>([
    ['is answered by asking for an answer', {}, 'persisting.nudge'],
    ['is so once in a row', { nudges: 1 }, 'model_stopped'],
    ['is not behind a pause: no word of the user may come there', { pauses: 1 }, 'model_stopped'],
  ])('%s', (_, before, state) => {
    expect(stateName(judged(empty, before).value)).toBe(state);
  });

  it('of an unknown kind is none: nobody knows what the model waits for', () => {
    expect(judged(message('something_new', [])).value).toBe('model_stopped');
  });
});

describe('a notice behind the results of a round', () => {
  const noticeBehind = (rounds: readonly string[], limits: Partial<Limits> = {}) => {
    const running = at('executing.running', {
      limits: { ...LIMITS, ...limits },
      calls: [{ ...call('a', 'finished'), fingerprint: 'same' } as Call],
      rounds,
    });
    const { pending: record } = step(running, { type: 'calls.finished', turn: 1 }).next.context;
    return record?.type === 'results.recorded' ? record.notice : undefined;
  };

  it.each<[string, string[], Partial<Limits>, string | null]>([
    ['is not there for the first round', [], {}, null],
    ['is not there for the second that is the same', ['same'], {}, null],
    ['is there for the third that is the same', ['same', 'same'], {}, REPETITION_NOTICE],
    ['is there for the ones after it', ['same', 'same', 'same'], {}, REPETITION_NOTICE],
    [
      'is there for the third pair that is the same',
      ['other', 'same', 'other', 'same', 'other'],
      {},
      REPETITION_NOTICE,
    ],
    ['is not there where repetition is no limit', ['same', 'same'], { maxRepeats: null }, null],
  ])('%s', (_, rounds, limits, notice) => {
    expect(noticeBehind(rounds, limits)).toBe(notice);
  });
});
