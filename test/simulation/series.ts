/** Many runs, one after the other, and what they came to. */
import { withVirtualTimers } from './clock.ts';
import { Broken, simulate } from './simulate.ts';

export interface Series {
  readonly runs: number;
  /** One text for each run in which a rule was broken: its seed, the rule, the records. */
  readonly broken: readonly string[];
  /** How much of everything there was, and how often each way to end. */
  readonly sums: Readonly<Record<string, number>>;
}

/** More than this tells nobody anything. */
const MOST_BROKEN = 20;

/** Plays the seeds from `firstSeed` on, each one a run. */
export function playSeries(firstSeed: number, runs: number): Promise<Series> {
  return withVirtualTimers(async () => {
    const broken: string[] = [];
    const sums: Record<string, number> = {};
    const add = (name: string, count: number) => {
      sums[name] = (sums[name] ?? 0) + count;
    };
    let played = 0;
    for (; played < runs && broken.length < MOST_BROKEN; played += 1) {
      try {
        const { status, ...counts } = await simulate(firstSeed + played);
        add(status, 1);
        for (const [name, count] of Object.entries(counts)) add(name, count);
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        broken.push(error.message);
      }
    }
    return { runs: played, broken, sums };
  });
}

export function addSeries(all: readonly Series[]): Series {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap((series) => Object.entries(series.sums)))
    sums[name] = (sums[name] ?? 0) + count;
  return {
    runs: all.reduce((sum, { runs }) => sum + runs, 0),
    broken: all.flatMap(({ broken }) => broken),
    sums,
  };
}
