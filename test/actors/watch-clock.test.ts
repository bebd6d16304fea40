import { describe, expect, it } from 'vitest';
import { watchClock } from '../../src/actors/watch-clock.ts';
import { scopeFor } from '../helpers/job-scope.ts';

describe('the clock', () => {
  it('says once that the time is over', async () => {
    const { scope, events } = scopeFor<'watchClock'>({ timeoutMs: 20 });
    await watchClock(() => 0)(scope);
    expect(events).toEqual([{ type: 'time.expired' }]);
  });

  it('counts what has passed before: behind a check that took all of the time, it is over at once', async () => {
    const { scope, events } = scopeFor<'watchClock'>({ timeoutMs: 60_000 });
    await watchClock(() => 60_001)(scope);
    expect(events).toEqual([{ type: 'time.expired' }]);
  });

  it('says nothing where there is no limit, or once the run has ended', async () => {
    const endless = scopeFor<'watchClock'>({ timeoutMs: null });
    await watchClock(() => 0)(endless.scope);
    const ended = scopeFor<'watchClock'>({ timeoutMs: 60_000 });
    const running = watchClock(() => 0)(ended.scope);
    ended.abort();
    await running;
    expect([endless.events, ended.events]).toEqual([[], []]);
  });
});
