/** The same as in test/journal/lock-processes.test.ts, many more times. */
import { describe, it } from 'vitest';
import { startContenders } from '../journal/contenders.ts';
import { DEAD, writeLock } from '../journal/locks.ts';

describe('of several processes that want the lock at the same moment', () => {
  const contenders = startContenders();

  it('exactly one of two gets it, a hundred times', () => contenders.takeAtOnce(2, 100));

  it('exactly one of four gets it from a dead holder, a hundred times', () =>
    contenders.takeAtOnce(4, 100, (file) => writeLock(file, DEAD)));

  it('no two ever hold it, however fast they take it, give it back and die', () => contenders.churn(200));
});
