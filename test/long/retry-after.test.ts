import { expect, it } from 'vitest';
import { play, says } from '../field/support.ts';

it('two 429 that ask for three seconds are waited for, each of them, and the third request succeeds', async () => {
  const at: number[] = [];
  const busy = { fault: 'status', status: 429, headers: { 'retry-after': '3' } } as const;
  const replies = [busy, busy, says('done')].map((reply) => () => {
    at.push(performance.now());
    return reply;
  });
  const { outcome } = await play(replies);
  expect(outcome).toMatchObject({ status: 'answered', counters: { attempts: 3 } });
  const [first = 0, second = 0, third = 0] = at;
  expect(second - first).toBeGreaterThan(2_990);
  expect(third - second).toBeGreaterThan(2_990);
});
