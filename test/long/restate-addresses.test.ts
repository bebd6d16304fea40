/** Workers that come and go at several addresses of one engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import { later } from '../../src/permissions/approver.ts';
import { askForEffects } from '../../src/permissions/policy.ts';
import type { RunPlace } from '../../src/restate/ingress.ts';
import { tools } from '../helpers/props.ts';
import { RestateRunner } from '../helpers/restate-runner.ts';

let runner: RestateRunner;
beforeEach(async () => {
  runner = await RestateRunner.start();
});
afterEach(() => runner?.close());

const ENOUGH_MS = 20_000;
const asking = (): RunOptions => ({
  task: 'the task',
  model: 'a-model',
  workspace: '/',
  client: scriptedModel([{ calls: [{ name: 'write', id: 'the_write' }] }, { text: 'done' }], 'the script'),
  tools,
  policy: askForEffects,
  approver: later,
});
const plain = (): RunOptions => ({ ...asking(), client: scriptedModel([{ text: 'done' }], 'the script') });

async function waits(place: RunPlace): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const [run] = await runner.admin.runs(1, place.runId);
    if (run?.glance?.isWaiting) return;
    await sleep(50);
  }
  throw new Error('the run does not wait');
}

async function allow(place: RunPlace): Promise<void> {
  const reviewed = (await runner.records(place)).findLast((record) => record.type === 'calls.reviewed');
  const [verdict] = reviewed?.type === 'calls.reviewed' ? reviewed.verdicts : [];
  const { callId = '', fingerprint = '' } = verdict ?? {};
  await runner.ingress.decide(place, { callId, fingerprint, granted: true, reason: '' });
}

const outcome = (place: RunPlace) => runner.ingress.outcome(place, AbortSignal.timeout(ENOUGH_MS));

it('a worker that is back at an address of before gets new runs, those that waited in vain, and its own ones', async () => {
  const first = runner.port;
  const old = await runner.submit(asking());
  await waits(old);
  await runner.leave();
  await runner.serve();
  expect(runner.port).not.toBe(first);
  await runner.leave();
  const stuck = await runner.submit(plain());
  await runner.serve(first);
  expect(await outcome(stuck)).toMatchObject({ status: 'answered' });
  expect(await outcome(await runner.submit(plain()))).toMatchObject({ status: 'answered' });
  await allow(old);
  expect(await outcome(old)).toMatchObject({ status: 'answered' });
});

it('an address that new runs go to already is not registered again, however many workers of a pool say it', async () => {
  const revision = async () => {
    const answer = await fetch(`${runner.server.admin}/services/${runner.workflow}`);
    return ((await answer.json()) as { revision: number }).revision;
  };
  const before = await revision();
  await runner.admin.register(`http://127.0.0.1:${runner.port}`, runner.workflow);
  await runner.admin.register(`http://127.0.0.1:${runner.port}/`, runner.workflow);
  expect(await revision()).toBe(before);
});

it('a run goes on at another address once the engine is told that its own one has moved there', async () => {
  const old = await runner.submit(asking());
  await waits(old);
  const answer = await fetch(`${runner.server.admin}/deployments`);
  const { deployments } = (await answer.json()) as { deployments: { id: string }[] };
  await runner.leave();
  await runner.serve();
  const told = await fetch(`${runner.server.admin}/deployments/${deployments[0]?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${runner.port}` }),
  });
  expect(await told.text()).toContain(`:${runner.port}`);
  await allow(old);
  expect(await outcome(old)).toMatchObject({ status: 'answered' });
});
