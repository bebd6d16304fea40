import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  histogramOf,
  kValues,
  passAtK,
  passFigures,
  passHatK,
  spreadOf,
  wilson,
} from '../../src/cli/trial-statistics.ts';

/** Runs, of which some passed, and a number of them that is drawn. */
const trials = fc
  .integer({ min: 1, max: 60 })
  .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })));

describe('pass@k and pass^k', () => {
  it.each([
    [10, 7, 1, 0.7, 0.7],
    [10, 7, 3, 1 - 1 / 120, 35 / 120],
    [4, 2, 2, 1 - 1 / 6, 1 / 6],
    [10, 0, 5, 0, 0],
    [10, 10, 5, 1, 1],
    [5, 1, 5, 1, 0],
  ])('of %i runs of which %i passed are, for k = %i, %f and %f', (n, passed, k, any, all) => {
    expect(passAtK(n, passed, k)).toBeCloseTo(any, 12);
    expect(passHatK(n, passed, k)).toBeCloseTo(all, 12);
  });

  it('are what counting all choices of k runs comes to', () => {
    const small = fc
      .array(fc.boolean(), { minLength: 1, maxLength: 8 })
      .chain((runs) => fc.tuple(fc.constant(runs), fc.integer({ min: 1, max: runs.length })));
    fc.assert(
      fc.property(small, ([runs, k]) => {
        const choices = choose(runs, k);
        const share = (holds: (chosen: boolean[]) => boolean) =>
          choices.filter(holds).length / choices.length;
        const passed = runs.filter(Boolean).length;
        expect(passAtK(runs.length, passed, k)).toBeCloseTo(
          share((chosen) => chosen.some(Boolean)),
          12,
        );
        expect(passHatK(runs.length, passed, k)).toBeCloseTo(
          share((chosen) => chosen.every(Boolean)),
          12,
        );
      }),
    );
  });

  it('lie on the two sides of the share that passed, the further apart the more runs are drawn', () => {
    fc.assert(
      fc.property(trials, ([n, passed, k]) => {
        const [any, all, share] = [passAtK(n, passed, k), passHatK(n, passed, k), passed / n];
        expect(any).toBeGreaterThanOrEqual(share - 1e-12);
        expect(all).toBeLessThanOrEqual(share + 1e-12);
        if (k === n) return;
        expect(passAtK(n, passed, k + 1)).toBeGreaterThanOrEqual(any - 1e-12);
        expect(passHatK(n, passed, k + 1)).toBeLessThanOrEqual(all + 1e-12);
      }),
    );
  });
});

function choose(runs: readonly boolean[], k: number): boolean[][] {
  if (k === 0) return [[]];
  return runs.flatMap((run, at) => choose(runs.slice(at + 1), k - 1).map((rest) => [run, ...rest]));
}

describe('an interval of 95 %', () => {
  // From the tables of Newcombe (1998) and by hand.
  it.each([
    [10, 7, 0.3968, 0.8922],
    [10, 0, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [263, 81, 0.2553, 0.3662],
    [1, 1, 0.2065, 1],
  ])('of %i runs of which %i passed goes from %f to %f', (n, passed, low, high) => {
    expect(wilson(n, passed).low).toBeCloseTo(low, 4);
    expect(wilson(n, passed).high).toBeCloseTo(high, 4);
  });

  it('holds the share that passed, stays between 0 and 1, and is narrower with more runs', () => {
    fc.assert(
      fc.property(trials, ([n, passed]) => {
        const [few, many] = [wilson(n, passed), wilson(n * 10, passed * 10)];
        expect(few.low).toBeLessThanOrEqual(passed / n);
        expect(few.high).toBeGreaterThanOrEqual(passed / n);
        expect(few.low).toBeGreaterThanOrEqual(0);
        expect(few.high).toBeLessThanOrEqual(1);
        expect(many.high - many.low).toBeLessThan(few.high - few.low);
      }),
    );
  });

  it('of pass@k and of pass^k follows from that of the share: in order, between 0 and 1, and the same for k = 1', () => {
    fc.assert(
      fc.property(trials, ([n, passed, k]) => {
        const { someInterval, everyInterval } = passFigures(n, passed, k);
        for (const { low, high } of [someInterval, everyInterval]) {
          expect(low).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
        }
        const one = passFigures(n, passed, 1);
        expect(one.someInterval.low).toBeCloseTo(one.everyInterval.low, 12);
        expect(one.some).toBeCloseTo(one.every, 12);
      }),
    );
  });
});

describe('spreads, values of k and histograms', () => {
  it.each([
    [[], null],
    [[3], { min: 3, median: 3, max: 3 }],
    [[9, 1, 5], { min: 1, median: 5, max: 9 }],
    [[10, 2, 4, 100], { min: 2, median: 7, max: 100 }],
  ])('the spread of %j is %j', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });

  it('k goes no further than there are runs', () => {
    expect(kValues(1)).toEqual([1]);
    expect(kValues(10)).toEqual([1, 2, 3, 5, 10]);
    expect(kValues(0)).toEqual([]);
  });

  it('a histogram has the most frequent word first, and each once', () => {
    expect(histogramOf(['b', 'a', 'c', 'c'])).toEqual([
      ['c', 2],
      ['a', 1],
      ['b', 1],
    ]);
  });
});
