/** Requests to the model that get lost with their worker. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyRecords } from '../../src/journal/verify.ts';
import type { ModelClient } from '../../src/model/client.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { tools } from '../helpers/props.ts';
import { RestateRunner } from '../helpers/restate-runner.ts';

let runner: RestateRunner;
beforeAll(async () => {
  runner = await RestateRunner.start('requests');
});
afterAll(() => runner?.close());

/** A model that says nothing to the second request, the first time that it is sent. */
async function lost(tokenBudget: number | null) {
  const script = scriptedModel([{ calls: [{ name: 'look' }] }, { text: 'done' }]);
  let asked = 0;
  const client: ModelClient = {
    ...script,
    ask: async (request, how) => {
      asked += 1;
      if (asked === 2) await sleep(60_000, undefined, { signal: how.signal });
      return script.ask(request, how);
    },
  };
  const usual = { task: 'the task', model: 'a-model', workspace: '/', tools };
  const place = await runner.submit({ ...usual, client, limits: { tokenBudget } });
  while (asked < 2) await sleep(20);
  await runner.leave(0);
  await runner.serveAgain();
  const outcome = await runner.ingress.outcome(place, AbortSignal.timeout(60_000));
  const records = await runner.records(place);
  expect(verifyRecords(records)).toBeUndefined();
  return { outcome, asked, types: records.map(({ type }) => type) };
}

describe('a request that got lost with its worker', () => {
  it('is made again', async () => {
    const { outcome, asked, types } = await lost(null);
    expect(outcome).toMatchObject({ status: 'answered', counters: { turns: 2 } });
    expect(asked).toBe(3);
    expect(types).not.toContain('run.resumed');
  });

  it('counts against a budget, with all that it may have taken', async () => {
    const { outcome, asked, types } = await lost(1_000_000);
    expect(outcome).toMatchObject({ status: 'answered', counters: { turns: 2 } });
    expect(asked).toBe(3);
    expect(types.filter((type) => type === 'run.resumed')).toHaveLength(1);
    expect(outcome.unsettled.tokens).toBeGreaterThan(10_000);
  });
});
