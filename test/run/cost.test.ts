import { describe, expect, it } from 'vitest';
import type { Prices } from '../../src/budget/price-list.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { type ModelClient, ModelFailure } from '../../src/model/client.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import { resume } from '../../src/resume.ts';
import { meansFor, runOf } from './runs.ts';

const rate = (usd: number) => ({
  input: usd,
  output: usd,
  cacheWrite5m: usd,
  cacheWrite1h: usd,
  cacheRead: usd,
});
/** A million tokens cost a dollar. */
const prices: Prices = new Map([
  ['a-model', rate(1)],
  ['free', rate(0)],
]);
const usage = { input_tokens: 300_000, output_tokens: 200_000 };
const DONE: ScriptReply = { text: 'done', usage };
const REFUSED: ScriptReply = { text: 'no', stop_reason: 'refusal', usage };

/** Fails once, after the server has named what it has read; then it answers. */
function failingOnce(): ModelClient {
  const client = scriptedModel([DONE]);
  let asked = 0;
  return {
    ...client,
    ask: async (request, options) => {
      asked += 1;
      if (asked > 1) return client.ask(request, options);
      throw new ModelFailure('it broke off', {
        kind: 'interrupted',
        retryable: true,
        usage: { input: 100_000, cacheWrite: 0, cacheRead: 0, output: 0 },
      });
    },
  };
}

/** A gateway that knows models by names of its own, and says which one has answered. */
function gateway(): ModelClient {
  const client = scriptedModel([DONE]);
  return { ...client, ask: async (...asked) => ({ ...(await client.ask(...asked)), model: 'a-model' }) };
}

describe('the cost of a run', () => {
  const rows: readonly [
    what: string,
    replies: readonly ScriptReply[],
    more: Partial<RunOptions>,
    cost: number | null,
  ][] = [
    ['is the sum at the prices that are known', [DONE], { prices }, 0.5],
    [
      'is null where the price of the model is not known, for 0 would be added to other sums',
      [DONE],
      {},
      null,
    ],
    ['is null where a model that names no figures has no price', [{ text: 'done', usage: {} }], {}, null],
    ['is 0 where the model is free', [DONE], { prices, model: 'free' }, 0],
    ['counts a reply by the model that gave it', [], { prices, model: 'an-alias', client: gateway() }, 0.5],
    [
      'is null where the price of the fallback model is not known',
      [REFUSED, DONE],
      { prices, fallbackModel: 'other' },
      null,
    ],
    [
      'is null where the price of the model that refused is not known',
      [REFUSED, DONE],
      { prices, model: 'other', fallbackModel: 'a-model' },
      null,
    ],
    ['counts the fallback model', [REFUSED, DONE], { prices, fallbackModel: 'free' }, 0.5],
    ['counts a reply that broke off', [], { prices, client: failingOnce(), random: () => 0 }, 0.6],
    ['is 0 where no reply came', [{ fault: { status: 400 } }], {}, 0],
  ];
  it.each(rows)('%s', async (_, replies, more, cost) => {
    const { outcome } = await runOf(replies, more);
    expect(outcome.costUsd).toBe(cost);
  });

  it('is null where a reply that broke off has no price, whatever the others have cost', async () => {
    const { outcome } = await runOf([], { prices, model: 'an-alias', client: failsThenAnswersAs('a-model') });
    expect(outcome.costUsd).toBeNull();
  });

  it('is null of a run that goes on without the price, and stays known where nothing was asked since', async () => {
    const { records } = await runOf([DONE], { prices });
    const goOn = (replies: readonly ScriptReply[], more: object) => {
      const journal = memoryJournal(() => 0, records);
      return resume(
        { journal, records, tornBytes: 0 },
        { ...meansFor(replies), instruction: 'more', ...more },
      );
    };
    expect((await goOn([DONE], {})).costUsd).toBeNull();
    expect((await goOn([DONE], { prices })).costUsd).toBe(1);
    expect((await goOn([{ fault: { status: 400 } }], {})).costUsd).toBe(0.5);
  });
});

function failsThenAnswersAs(model: string): ModelClient {
  const client = failingOnce();
  return { ...client, ask: async (...asked) => ({ ...(await client.ask(...asked)), model }) };
}
