import { expect, it } from 'vitest';
import { foldRecords, memoryJournal } from '../../src/index.ts';
import { longRun } from '../field/long-run.ts';

it('the journal of a long run takes time in proportion to be folded', async () => {
  const quickest = async (rounds: number) => {
    const journal = memoryJournal();
    await longRun(rounds, journal);
    const times = Array.from({ length: 7 }, () => {
      const begun = performance.now();
      foldRecords(journal.records);
      return performance.now() - begun;
    });
    return Math.min(...times);
  };
  // Eight times as long a run; 64 would be the square. Much in between is left to a busy machine.
  expect((await quickest(800)) / (await quickest(100))).toBeLessThan(30);
});
