import { describe, expect, it } from 'vitest';
import { DEFAULT_MODEL, objectionTo, outputCeiling, refuseSampling } from '../../src/model/models.ts';

describe('the output ceiling', () => {
  it.each([
    [DEFAULT_MODEL, 128_000],
    ['claude-haiku-5-5', 128_000],
    ['claude-haiku-4-5', 64_000],
    ['claude-opus-4-5-20251101', 64_000],
    ['claude-opus-4-6-20260101', 128_000],
    ['a-model-of-tomorrow', 64_000],
    ['constructor', 64_000],
  ])('of %s is %i', (model, tokens) => {
    expect(outputCeiling(model)).toBe(tokens);
  });
});

describe('what a model does not accept', () => {
  it.each<[string, string | null, string | undefined, string]>([
    ['claude-haiku-4-5-20251001', 'low', undefined, 'claude-haiku-4-5 has no effort to set'],
    ['claude-sonnet-4-5', 'high', undefined, 'has no effort'],
    ['claude-sonnet-5-5', 'extreme', undefined, 'there is no effort "extreme"; there are low, medium, high'],
    ['claude-opus-4-5', null, 'omitted', 'has no adaptive thinking'],
  ])('is refused with the reason: %s, effort %s, display %s', (model, effort, thinkingDisplay, words) => {
    expect(objectionTo(model, { effort, thinkingDisplay })).toContain(words);
  });

  it.each<[string, string | null, string | undefined]>([
    ['claude-opus-4-5', 'low', undefined],
    ['claude-sonnet-4-5', null, undefined],
    ['claude-sonnet-5-5', 'max', 'summarized'],
    ['a-model-of-a-gateway', 'extreme', 'summarized'],
  ])('is known of no more than that: %s, effort %s, display %s', (model, effort, thinkingDisplay) => {
    expect(objectionTo(model, { effort, thinkingDisplay })).toBeUndefined();
  });

  it.each(['temperature', 'top_p', 'topP', 'topK', 'top_k'])('is %s with all of them', (name) => {
    expect(() => refuseSampling({ apiKey: 'x', [name]: 0 })).toThrow(`${name} cannot be set`);
    expect(() => refuseSampling({ apiKey: 'x' })).not.toThrow();
  });
});
