/** Field report 56 on the engine: a worker that was only slow wakes up beside the one that has taken its place. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBalancer } from '../helpers/balancer.ts';
import { EnginePlace } from '../helpers/engine-place.ts';
import { freePorts } from '../helpers/restate-server.ts';
import { flawsOf, Turns } from '../helpers/turns.ts';

/** The engine misses a worker that says nothing after two seconds, and not after a minute. */
const IMPATIENT = {
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '1s',
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '1s',
};
const RUNS = 6;

it.each([150, 400, 700])(
  'a worker that is stopped after %i ms and wakes up when its runs have ended does no harm',
  async (afterMs) => {
    const place = await EnginePlace.open(IMPATIENT);
    const [first = 0, second = 0] = await freePorts(2);
    const balancer = await startBalancer([first, second]);
    const flags = ['--no-register'];
    const slow = await place.worker(flags, first);
    await place.register(balancer.port);
    const turns = new Turns(place);
    const runs = [];
    for (let at = 0; at < RUNS; at += 1) runs.push(await turns.submit(`run-${at}`, 8));
    await sleep(afterMs);
    slow.child.kill('SIGSTOP');
    balancer.passOver(first);
    await place.worker(flags, second);
    for (const { runId } of runs) await place.ended(runId, 120_000);
    const before = await Promise.all(runs.map(({ runId }) => place.engineRecords(runId)));
    slow.child.kill('SIGCONT');
    await sleep(3_000);
    expect(slow.child.exitCode).toBeNull();
    for (const [at, run] of runs.entries()) {
      const records = await place.engineRecords(run.runId);
      expect(records).toEqual(before[at]);
      expect(flawsOf(run, records)).toEqual([]);
      const lines = readFileSync(path.join(run.folder, 'log.txt'), 'utf8').trimEnd().split('\n');
      expect(new Set(lines).size).toBe(lines.length);
    }
    balancer.close();
  },
);
