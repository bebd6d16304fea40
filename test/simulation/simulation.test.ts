import { expect, it } from 'vitest';
import { withVirtualTimers } from './clock.ts';
import { describeRuns } from './runs.ts';
import { simulate } from './simulate.ts';

describeRuns(1);

it('a simulated run is the same each time that its seed is played', async () => {
  const play = () => withVirtualTimers(() => simulate(7));
  expect(await play()).toEqual(await play());
});
