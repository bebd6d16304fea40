import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyRecords } from '../../src/journal/verify.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { allowAll } from '../../src/permissions/policy.ts';
import { tools } from '../helpers/props.ts';
import { RestateRunner } from '../helpers/restate-runner.ts';

let runner: RestateRunner;
beforeAll(async () => {
  runner = await RestateRunner.start();
});
afterAll(() => runner?.close());

it('a run on the engine goes from its task to its answer, and its records are those of any run', async () => {
  const place = await runner.submit({
    task: 'the task',
    model: 'a-model',
    workspace: '/',
    client: scriptedModel([
      {
        text: 'I look and write.',
        calls: [{ name: 'look' }, { name: 'look', input: { word: 'up' } }, { name: 'write' }],
      },
      { fault: { status: 529 } },
      { text: 'Done.' },
    ]),
    tools,
    policy: allowAll,
    random: () => 0,
  });
  const outcome = await runner.ingress.outcome(place, AbortSignal.timeout(15_000));
  expect(outcome).toMatchObject({ status: 'answered', result: 'Done.', exitCode: 0 });
  const records = await runner.records(place);
  expect(records.map(({ type }) => type)).toEqual([
    'run.started',
    'reply.received',
    'calls.reviewed',
    ...Array.from({ length: 3 }, () => ['tool.started', 'tool.finished']).flat(),
    'results.recorded',
    'attempt.failed',
    'reply.received',
    'run.ended',
  ]);
  expect(verifyRecords(records)).toBeUndefined();
});
