/** What is known of models beforehand. A model that is not listed works too, with the cautious figures. */

export const DEFAULT_MODEL = 'claude-sonnet-5-5';

const UNLISTED_OUTPUT_CEILING = 64_000;

/** Most output tokens that one request may ask for. Ids with a date at the end are looked up without it. */
const OUTPUT_CEILINGS: ReadonlyMap<string, number> = new Map([
  ['claude-fable-5', 128_000],
  ['claude-fable-5-1', 128_000],
  ['claude-fable-5-2', 128_000],
  ['claude-mythos-5', 128_000],
  ['claude-mythos-5-1', 128_000],
  ['claude-mythos-5-2', 128_000],
  ['claude-opus-4-5', 64_000],
  ['claude-opus-4-6', 128_000],
  ['claude-opus-4-7', 128_000],
  ['claude-opus-4-8', 128_000],
  ['claude-opus-5', 128_000],
  ['claude-opus-5-5', 128_000],
  ['claude-sonnet-4-5', 64_000],
  ['claude-sonnet-4-6', 128_000],
  ['claude-sonnet-5', 128_000],
  ['claude-sonnet-5-5', 128_000],
  ['claude-haiku-4-5', 64_000],
  ['claude-haiku-5-5', 128_000],
]);

export function outputCeiling(model: string): number {
  return OUTPUT_CEILINGS.get(model.replace(/-\d{8}$/, '')) ?? UNLISTED_OUTPUT_CEILING;
}
