import { describe, expect, it } from 'vitest';
import { addUsd } from '../../machines/budget.ts';
import type { AssistantMessage } from '../../machines/protocol.ts';
import { LIST_PRICES, PRICES_AS_OF } from '../../src/budget/price-list.ts';
import { costOf, costOfReply, priceOf } from '../../src/budget/prices.ts';
import { outputCeiling } from '../../src/model/models.ts';

const USAGE = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
const reply = (usage: AssistantMessage['usage'], model?: unknown): AssistantMessage => ({
  content: [],
  stop_reason: 'end_turn',
  ...(model !== undefined && { model }),
  ...(usage !== undefined && { usage }),
});

describe('the list of prices', () => {
  it('says from which day it is', () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('has rates that are in proportion', () => {
    for (const price of LIST_PRICES.values())
      for (const rates of [price, ...(price.above ? [price.above] : [])]) {
        expect(rates.output).toBeCloseTo(5 * rates.input, 9);
        expect(rates.cacheWrite5m).toBeCloseTo(1.25 * rates.input, 9);
        expect(rates.cacheWrite1h).toBeCloseTo(2 * rates.input, 9);
        expect(rates.cacheRead).toBeLessThanOrEqual(0.1 * rates.input);
      }
  });

  it.each([
    ['claude-fable-5-2', 8, 0.2],
    ['claude-mythos-5-1', 10, 0.25],
    ['claude-opus-5-5', 4, 0.2],
    ['claude-opus-4-7', 5, 0.5],
    ['claude-sonnet-5-5', 2, 0.1],
    ['claude-sonnet-4-6', 3, 0.3],
    ['claude-haiku-4-5', 1, 0.1],
  ])('knows %s', (model, input, cacheRead) => {
    expect(priceOf(model)).toMatchObject({ input, cacheRead });
    expect(outputCeiling(model)).toBeGreaterThan(0);
  });

  it.each(['claude-opus-4-5-20251101', 'claude-opus-4-5-latest'])('knows %s by its name', (model) => {
    expect(priceOf(model)).toBe(priceOf('claude-opus-4-5'));
  });

  it.each(['', 'gpt-9', 'claude-opus-4-5-2025', 'constructor', 'claude-opus'])(
    'does not know "%s"',
    (model) => {
      expect(priceOf(model)).toBeUndefined();
    },
  );

  it('has another price for a long prompt where there is one', () => {
    expect(priceOf('claude-haiku-5-5', 100_000)).toMatchObject({ input: 0.1, output: 0.5 });
    expect(priceOf('claude-haiku-5-5', 100_001)).toMatchObject({ input: 0.5, output: 2.5 });
    expect(priceOf('claude-opus-5', 900_000)).toMatchObject({ input: 5 });
  });
});

describe('a cost', () => {
  const price = { input: 2, output: 10, cacheWrite5m: 2.5, cacheWrite1h: 4, cacheRead: 0.1 };
  it.each([
    [{ input: 1_000_000 }, 2],
    [{ output: 1_000 }, 0.01],
    [{ cacheWrite: 10 }, 0.000_025],
    [{ cacheWrite: 10, cacheWrite1h: 4 }, 0.000_031],
    [{ cacheRead: 1 }, 0.000_000_1],
    [{}, 0],
    [{ input: 1, output: 1, cacheWrite: 1, cacheRead: 1 }, 0.000_014_6],
  ])('of %o is %d dollars', (usage, usd) => {
    expect(costOf({ ...USAGE, ...usage }, price)).toBe(usd);
  });

  it('stays a number where a figure is past all sense', () => {
    const huge = { input: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER };
    expect(costOf({ ...USAGE, ...huge }, price)).toBeGreaterThan(1e10);
  });

  it('adds up to what it is, however often', () => {
    let sum = 0;
    for (let n = 0; n < 100_000; n += 1) sum = addUsd(sum, 0.000_000_1);
    expect(sum).toBe(0.01);
    expect(addUsd(0.1, 0.2)).toBe(0.3);
  });
});

describe('the cost of a reply', () => {
  const usage = { input_tokens: 1_000, output_tokens: 100 };

  it('is that of the model which answered', () => {
    expect(costOfReply(reply(usage, 'claude-haiku-4-5-20251001'), 'claude-opus-5')).toBe(0.0015);
  });

  it.each([undefined, null, 7, 'a-name-of-the-gateway', 'toString'])(
    'is that of the model which was asked where none that is known answered: %s',
    (model) => {
      expect(costOfReply(reply(usage, model), 'claude-haiku-4-5')).toBe(0.0015);
    },
  );

  it('has in it what a summary of the history took, each at the tier of its own prompt', () => {
    const iterations = [{ type: 'compaction', input_tokens: 200_000, output_tokens: 1_000 }];
    const cheap = 0.0001 + 0.00005;
    const dear = 0.1 + 0.0025;
    expect(costOfReply(reply({ ...usage, iterations }), 'claude-haiku-5-5')).toBeCloseTo(cheap + dear, 9);
  });

  it('is unknown where neither is known, and never 0 instead', () => {
    expect(costOfReply(reply(usage, 'a'), 'b')).toBeUndefined();
    expect(costOfReply(reply(undefined), 'claude-haiku-4-5')).toBe(0);
  });

  it('is taken from the tier of the whole prompt, cached parts included', () => {
    const long = {
      input_tokens: 1,
      cache_read_input_tokens: 60_000,
      cache_creation_input_tokens: 40_000,
      output_tokens: 0,
    };
    expect(costOfReply(reply(long), 'claude-haiku-5-5')).toBe(addUsd(0.000_000_5, 0.003 + 0.025));
  });

  it.each<[string, object, number]>([
    ['none', {}, 1.25],
    ['an hour for all', { ephemeral_1h_input_tokens: 1_000_000, ephemeral_5m_input_tokens: 0 }, 2],
    ['an hour for a part', { ephemeral_1h_input_tokens: 400_000, ephemeral_5m_input_tokens: 600_000 }, 1.55],
    ['an hour for a part, no other', { ephemeral_1h_input_tokens: 400_000 }, 1.55],
    ['more than the sum', { ephemeral_1h_input_tokens: 2_000_000 }, 4],
    ['no counts', { ephemeral_1h_input_tokens: '9', ephemeral_5m_input_tokens: -1 }, 1.25],
  ])('tells the parts of what is kept apart: %s', (_, cache_creation, usd) => {
    const kept = { cache_creation_input_tokens: 1_000_000, cache_creation };
    expect(costOfReply(reply(kept), 'claude-haiku-4-5')).toBe(usd);
  });
});
