import { describe, expect, it } from 'vitest';
import { initialContext, type LoopContext } from '../../machines/context.ts';
import { NO_COUNTERS } from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import {
  isNearWindow,
  isPastWindow,
  MOST_RESULT_BYTES,
  promptBehind,
  promptBehindRound,
  roomInWindow,
  windowOf,
} from '../../machines/window.ts';
import { ANSWER, at, CALLS, digestOf, LIMITS, replied, resumed, saved } from './given.ts';
import { step } from './step.ts';

const limits = { ...LIMITS, contextWindow: 10_000, fallbackWindow: 5_000, maxOutputTokens: 2_000 };
const given = (changes: Partial<LoopContext> = {}): LoopContext => ({
  ...initialContext({ limits }),
  ...changes,
});
const fallen = { counters: { ...NO_COUNTERS, fallbacks: 1 } };
const free = { limits: { ...limits, contextWindow: null } };

describe('the window', () => {
  it('is that of the model which is asked now', () => {
    expect([windowOf(given()), windowOf(given(fallen)), windowOf(given(free))]).toEqual([
      10_000,
      5_000,
      null,
    ]);
  });

  it.each<[string, Partial<LoopContext>, boolean]>([
    ['what is not known', { promptTokens: null }, true],
    ['what leaves a whole reply', { promptTokens: 7_744 }, false],
    ['what does not', { promptTokens: 7_745 }, true],
    ['what leaves none with the other model', { promptTokens: 2_745, ...fallen }, true],
    ['anything, where nobody knows the window', { promptTokens: null, ...free }, false],
  ])('may be near with %s', (_, changes, isNear) => {
    expect(isNearWindow(given(changes))).toBe(isNear);
  });

  it.each<[number, boolean, Partial<LoopContext>, number, boolean]>([
    [8_720, true, {}, 1_024, false],
    [8_721, true, {}, 1_023, true],
    [12_000, true, {}, -2_256, true],
    [12_000, false, {}, Number.POSITIVE_INFINITY, false],
    [12_000, true, free, Number.POSITIVE_INFINITY, false],
    [9_644, true, { maxOutputTokens: 100 }, 100, false],
    [9_645, true, { maxOutputTokens: 100 }, 99, true],
  ])(
    'with a prompt of %i, counted %s, and %j leaves %d: past it %s',
    (input, isExact, changes, room, isPast) => {
      expect(roomInWindow(given(changes), input, isExact)).toBe(room);
      expect(isPastWindow(given(changes), input, isExact)).toBe(isPast);
    },
  );
});

describe('what the next request reads', () => {
  it('is what the last one read and was answered, and the most that its calls can have brought', () => {
    const usage = { input: 1, cacheWrite: 2, cacheRead: 3, output: 4 };
    expect(promptBehind(usage)).toBe(10);
    expect(promptBehind(NO_USAGE)).toBeNull();
    expect(promptBehindRound(10, 2)).toBeGreaterThanOrEqual(10 + 2 * MOST_RESULT_BYTES);
    expect(promptBehindRound(null, 2)).toBeNull();
  });

  it('is known behind a reply that says what it took, and not behind one that does not', () => {
    const asked = at('asking.requesting', { limits, promptTokens: 7 });
    const reply = (usage: object) => replied({ turn: 1, attempt: 1 }, { ...ANSWER, usage: { ...usage } });
    expect(step(asked, reply({ input_tokens: 50, output_tokens: 5 })).next.context.promptTokens).toBe(55);
    expect(step(asked, reply({})).next.context.promptTokens).toBeNull();
  });

  it('is not known any more once a person may have added words', () => {
    const asked = at('asking.requesting', { limits, promptTokens: 7 });
    expect(step(asked, resumed({ contextWindow: 10_000 })).next.context.promptTokens).toBeNull();
  });

  it('grows with the calls of a round when it is saved', () => {
    const calls = [{ id: 'a', name: 'x', progress: 'refused', fingerprint: 'f' }] as const;
    const pending = { type: 'results.recorded', turn: 1, callIds: ['a'], notice: null } as const;
    const reply = digestOf(CALLS);
    const before = at('persisting.results', { limits, calls, reply, promptTokens: 7, pending });
    const { promptTokens } = step(before, saved('results.recorded')).next.context;
    expect(promptTokens).toBe(promptBehindRound(7, 2));
  });
});
