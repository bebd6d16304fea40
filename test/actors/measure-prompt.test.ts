import { describe, expect, it } from 'vitest';
import { NOTHING_UNSETTLED } from '../../machines/budget.ts';
import type { JobInputs } from '../../machines/context.ts';
import { DEFAULT_LIMITS, type Limits } from '../../machines/limits.ts';
import type { ToolContent } from '../../machines/protocol.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { measurePrompt } from '../../src/actors/measure-prompt.ts';
import { type ModelClient, ModelFailure } from '../../src/model/client.ts';
import { scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { finished, header, message, recorded, reply, toolUse } from '../helpers/records.ts';

type Input = JobInputs['measurePrompt'];
const inputOf = (limits: Partial<Limits>, more: Partial<Input> = {}): Input => ({
  turn: 2,
  attempt: 1,
  conclude: false,
  fallback: false,
  spending: {
    limits: { ...DEFAULT_LIMITS, ...limits },
    usage: NO_USAGE,
    costUsd: 0,
    unsettled: NOTHING_UNSETTLED,
    summaryTries: 0,
  },
  wanted: 4_096,
  window: null,
  ...more,
});

function jobWith(
  input: Input,
  countTokens?: NonNullable<ModelClient['countTokens']>,
  result: ToolContent = 'x'.repeat(1_000),
) {
  const { log, written } = logOf(
    header(),
    reply(1, message('tool_use', toolUse('a'))),
    finished(1, 'a', result),
    recorded(1, 'a'),
  );
  const { scope, events, abort } = scopeFor<'measurePrompt'>(input);
  const client: ModelClient = {
    name: 'test',
    ask: async () => message('end_turn'),
    ...(countTokens && { countTokens }),
  };
  const work = measurePrompt({
    client,
    requestOf: () => ({
      model: 'm',
      system: '',
      effort: null,
      tools: [],
      messages: log.transcript.messages,
      toolsOff: false,
      maxOutputTokens: 1,
    }),
    priceOf: () => ({ inputUsd: 0, outputUsd: 0 }),
    log,
    idleTimeoutMs: 50,
  });
  return { run: () => work(scope), events, written, abort };
}

describe('the size of the next request', () => {
  it('is what the last reply is known to have read and said, and the bytes behind it', async () => {
    const { run, events, written } = jobWith(inputOf({ tokenBudget: 1_000_000 }), async () => {
      throw new Error('nobody need count');
    });
    await run();
    const [record] = written().slice(-1);
    expect(record).toMatchObject({ type: 'prompt.measured', turn: 2, attempt: 1, isExact: false });
    expect(events).toEqual([expect.objectContaining({ type: 'prompt.measured', isExact: false })]);
    const { inputTokens } = (events[0] as { forecast: { inputTokens: number } }).forecast;
    expect(inputTokens).toBeGreaterThan(1_000 + 5);
    expect(inputTokens).toBeLessThan(1_200);
  });

  it('counts a picture as what the service makes of it at most, and not by its bytes', async () => {
    const image = (bytes: number) => ({ type: 'image', source: { data: 'x'.repeat(bytes) } });
    const { run, events } = jobWith(inputOf({ tokenBudget: 1_000_000 }), undefined, [
      image(400_000),
      image(1),
    ]);
    await run();
    const { inputTokens } = (events[0] as { forecast: { inputTokens: number } }).forecast;
    expect(inputTokens).toBeGreaterThan(10_000);
    expect(inputTokens).toBeLessThan(10_200);
  });

  it('is counted by the service where by the estimate the request would be held back or shortened', async () => {
    const { run, events } = jobWith(inputOf({ tokenBudget: 8_000 }), async () => 321);
    await run();
    expect(events).toMatchObject([{ forecast: { inputTokens: 321 }, isExact: true }]);
  });

  it.each([
    [5_300, true],
    [5_600, false],
  ])('is counted where by the estimate it would not fit a window of %i: %s', async (window, isExact) => {
    const { run, events } = jobWith(inputOf({}, { window }), async () => 321);
    await run();
    expect(events).toMatchObject([{ isExact }]);
  });

  it.each<[string, NonNullable<ModelClient['countTokens']> | undefined]>([
    ['does not', undefined],
    [
      'cannot',
      async () => {
        throw new ModelFailure('no such address', { kind: 'http', status: 404, retryable: false });
      },
    ],
    ['says nothing when it is to', () => new Promise(() => {})],
  ])('stays the estimate where the service %s count', async (_, count) => {
    const { run, events } = jobWith(inputOf({ tokenBudget: 8_000 }), count);
    await run();
    expect(events).toMatchObject([{ isExact: false }]);
  });

  it('is a defect to tell where counting breaks in another way', async () => {
    const { run } = jobWith(inputOf({ tokenBudget: 8_000 }), async () => {
      throw new TypeError('broken');
    });
    await expect(run()).rejects.toThrow('broken');
  });

  it('is not told once the job was left', async () => {
    const { run, events, abort } = jobWith(inputOf({ tokenBudget: 8_000 }), async () => {
      abort();
      return 1;
    });
    await run();
    expect(events).toEqual([]);
  });
});
