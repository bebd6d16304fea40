/** The life of one process, from its start to the instant at which nothing is left of it. */
import { Clock, useClock } from './clock.ts';
import { Life } from './life.ts';
import { must } from './must.ts';
import { fateOf } from './scenario.ts';
import type { World } from './world.ts';

/** Nothing in a run of these sizes takes so many steps. */
const MOST_STEPS = 20_000;
export const BEGINNING = Date.UTC(2026, 0, 1);

/** Its clock is the one that counts from here on. */
export function newLife({ random, processes }: World, isLast: boolean): Life {
  const life = new Life(new Clock(BEGINNING + processes * 86_400_000), fateOf(random, isLast));
  useClock(life.clock);
  return life;
}

export async function untilTheEnd<Ended>(
  world: World,
  life: Life,
  work: Promise<Ended>,
): Promise<Ended | 'killed'> {
  let settled: { readonly end: Ended } | { readonly error: unknown } | undefined;
  work.then(
    (end) => {
      settled = { end };
    },
    (error: unknown) => {
      settled = { error };
    },
  );
  for (;;) {
    await quiet();
    if (world.violation) throw world.violation;
    if (life.isOver) return 'killed';
    if (settled && 'error' in settled) throw settled.error;
    if (settled) return settled.end;
    life.step += 1;
    must(life.step < MOST_STEPS, 'a process comes to an end');
    must(life.clock.advance(), 'something goes on until the end');
  }
}

/** Everything that follows at once has happened: promises come before the next turn of the event loop. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));
