/** Four processes that want the same locks at the same moment. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect } from 'vitest';
import { acquireLock } from '../../src/journal/lock.ts';
import { programFile } from '../helpers/programs.ts';
import { filesBeside, journalPlace } from './locks.ts';
import type { Order } from './programs/contend.ts';

/** To be called within a `describe`: they are there for its tests. */
export function startContenders() {
  let contenders: ChildProcess[] = [];
  beforeAll(async () => {
    contenders = Array.from({ length: 4 }, () => fork(programFile('journal/contend'), { execArgv: [] }));
    await Promise.all(contenders.map((contender) => once(contender, 'message')));
  });
  afterAll(() => {
    for (const contender of contenders) contender.kill('SIGKILL');
  });

  const tell = (told: readonly ChildProcess[], order: Order): Promise<unknown[]> =>
    Promise.all(
      told.map(async (contender) => {
        contender.send(order);
        return (await once(contender, 'message'))[0];
      }),
    );

  return {
    /** So many want it, again and again, and exactly one gets it. */
    async takeAtOnce(many: number, rounds: number, prepare: (file: string) => void = () => {}) {
      const told = contenders.slice(0, many);
      for (let round = 0; round < rounds; round += 1) {
        const file = journalPlace();
        prepare(file);
        const took = await tell(told, { type: 'take', file, at: Date.now() + 5 });
        expect(took.filter(Boolean)).toEqual([true]);
        expect(filesBeside(file)).toHaveLength(1);
        await tell(told, { type: 'release' });
        expect(filesBeside(file)).toEqual([]);
      }
    },

    /** Each takes it so often, as fast as it can. */
    async churn(times: number) {
      const file = journalPlace();
      const met = await tell(contenders, { type: 'churn', file, times });
      expect(met).toEqual(contenders.map(() => 0));
      acquireLock(file).release();
      expect(filesBeside(file)).toEqual([]);
    },
  };
}
