import { describe, expect, it } from 'vitest';
import { DEFAULT_MODEL, outputCeiling } from '../../src/model/models.ts';

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
