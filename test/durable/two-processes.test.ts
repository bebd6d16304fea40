import { describe, it } from 'vitest';
import { contest } from './contest.ts';

describe('two processes that are started on one run at the same moment', () => {
  it('one works, the other ends with 50, writes nothing and names the one that works (twice)', () =>
    contest(2));
});
