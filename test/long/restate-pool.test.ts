/** Many runs over a pool of workers that keeps losing one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBalancer } from '../helpers/balancer.ts';
import { EnginePlace } from '../helpers/engine-place.ts';
import { freePorts } from '../helpers/restate-server.ts';
import { flawsOf, Turns } from '../helpers/turns.ts';

const RUNS = 100;
const TURNS = 3;

it('100 runs over three workers, one of which is killed every second, all end, with each effect once', async () => {
  const place = await EnginePlace.open();
  const ports = await freePorts(3);
  const balancer = await startBalancer(ports);
  const flags = ['--advertise', `http://127.0.0.1:${balancer.port}`, '--no-register', '--concurrency', '8'];
  const workers = await Promise.all(ports.map((port) => place.worker(flags, port)));
  await place.register(balancer.port);
  const turns = new Turns(place);
  const runs = [];
  for (let at = 0; at < RUNS; at += 1) runs.push(await turns.submit(`run-${at}`, TURNS));
  let kills = 0;
  for (let isOver = false; !isOver; kills += 1) {
    await sleep(1_000);
    const at = kills % workers.length;
    await workers[at]?.kill();
    const port = ports[at] ?? 0;
    const [worker, open] = await Promise.all([place.worker(flags, port), place.openRuns()]);
    workers[at] = worker;
    isOver = open === 0;
    if (kills > 200) throw new Error(`${open} runs have not ended`);
  }
  balancer.close();
  let unknown = 0;
  const flaws: string[] = [];
  for (const run of runs) {
    const records = await place.engineRecords(run.runId);
    flaws.push(...flawsOf(run, records).map((flaw) => `${run.folder}: ${flaw}`));
    unknown += records.filter((record) => JSON.stringify(record).includes('outcome is unknown')).length;
  }
  expect(flaws).toEqual([]);
  // The kills have met runs at work.
  expect(kills).toBeGreaterThan(3);
  expect(unknown).toBeGreaterThan(0);
}, 900_000);
