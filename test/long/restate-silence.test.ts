/** The engine lets go of runs that it hears nothing of. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedModel } from '../../src/model/scripted.ts';
import { later } from '../../src/permissions/approver.ts';
import { allowAll, askForEffects } from '../../src/permissions/policy.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { tools } from '../helpers/props.ts';
import { RestateRunner } from '../helpers/restate-runner.ts';

const SILENCE_MS = 1_500;

let runner: RestateRunner;
beforeAll(async () => {
  runner = await RestateRunner.start('silent', SILENCE_MS);
});
afterAll(() => runner?.close());

const usual = { task: 'the task', model: 'a-model', workspace: '/', tools } as const;
const takenUp = (runId: string) => runner.logs.filter((line) => line === `run ${runId}: taken up`).length;

async function until(isSo: () => Promise<boolean> | boolean, longestMs: number): Promise<void> {
  const end = Date.now() + longestMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it never came');
    await sleep(50);
  }
}

describe('a run that the engine hears nothing of', () => {
  it('stays on its worker while a call is at work, so that a cancel still reaches the call', async () => {
    let stoppedAt = 0;
    let beganAt = 0;
    const slow: Tool = {
      ...(tools[1] as Tool),
      name: 'slow',
      run: async (_, { signal }) => {
        beganAt = Date.now();
        await sleep(60_000, undefined, { signal }).catch(() => {});
        stoppedAt = Date.now();
        return 'ended early';
      },
    };
    const client = scriptedModel([{ calls: [{ name: 'slow' }] }, { text: 'never asked for' }]);
    const place = await runner.submit({ ...usual, client, policy: allowAll, tools: [slow] });
    await until(() => beganAt > 0, 20_000);
    await sleep(4 * SILENCE_MS);
    const cancelledAt = Date.now();
    await runner.ingress.cancel(place, { signal: 'SIGTERM' });
    const outcome = await runner.ingress.outcome(place, AbortSignal.timeout(30_000));
    expect(outcome).toMatchObject({ status: 'cancelled', signal: 'SIGTERM' });
    expect(stoppedAt - cancelledAt).toBeLessThan(SILENCE_MS);
    expect(takenUp(place.runId)).toBe(1);
  });

  it('is let go of while it waits for a person, and taken up again with the word', async () => {
    const client = scriptedModel([{ calls: [{ name: 'write', id: 'the_write' }] }, { text: 'done' }]);
    const place = await runner.submit({ ...usual, client, policy: askForEffects, approver: later });
    const run = async () => (await runner.admin.runs(1, place.runId))[0];
    await until(async () => (await run())?.state === 'suspended', 8 * SILENCE_MS);
    // The timer that went along with the last step wakes it once more, at most.
    await sleep(2 * SILENCE_MS);
    await until(async () => (await run())?.state === 'suspended', 4 * SILENCE_MS);
    const attempts = takenUp(place.runId);
    await sleep(3 * SILENCE_MS);
    expect((await run())?.state).toBe('suspended');
    expect(takenUp(place.runId)).toBe(attempts);
    const reviewed = (await runner.records(place)).findLast((record) => record.type === 'calls.reviewed');
    const [verdict] = reviewed?.type === 'calls.reviewed' ? reviewed.verdicts : [];
    const word = { callId: 'the_write', fingerprint: verdict?.fingerprint ?? '', granted: true, reason: '' };
    await runner.ingress.decide(place, word);
    const outcome = await runner.ingress.outcome(place, AbortSignal.timeout(30_000));
    expect(outcome).toMatchObject({ status: 'answered', result: 'done' });
  });
});
