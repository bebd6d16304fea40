/** What runs the cases that hold for every runner: this process, or, with PAWL_RUNNER=restate, an engine with a worker. */
import { afterAll, beforeAll } from 'vitest';
import type { RunOptions, RunOutcome } from '../../src/index.ts';
import { run as runHere } from '../../src/index.ts';

export let run: (options: RunOptions) => Promise<RunOutcome> = runHere;

if (process.env.PAWL_RUNNER === 'restate') {
  const { RestateRunner } = await import('./restate-runner.ts');
  let runner: InstanceType<typeof RestateRunner> | undefined;
  beforeAll(async () => {
    runner = await RestateRunner.start();
    run = runner.run;
  });
  afterAll(() => runner?.close());
}
