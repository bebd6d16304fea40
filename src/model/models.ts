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
  return OUTPUT_CEILINGS.get(undated(model)) ?? UNLISTED_OUTPUT_CEILING;
}

const undated = (model: string): string => model.replace(/-\d{8}$/, '');

const EFFORTS: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Models that think by a budget or not at all; adaptive thinking, which is all that can be shown, came after them. */
const NO_ADAPTIVE_THINKING = new Set(['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5']);
/** Summaries by the service came with it. */
export const canCompact = (model: string): boolean => !NO_ADAPTIVE_THINKING.has(undated(model));

const NO_EFFORT = new Set(['claude-sonnet-4-5', 'claude-haiku-4-5']);

interface Wishes {
  readonly effort: string | null;
  readonly thinkingDisplay?: string | undefined;
}

/** Why a model is known not to accept what is wished, as a sentence; undefined where it accepts it or is not listed. */
export function objectionTo(model: string, { effort, thinkingDisplay }: Wishes): string | undefined {
  const id = undated(model);
  if (!OUTPUT_CEILINGS.has(id)) return undefined;
  if (effort !== null && NO_EFFORT.has(id)) return `${id} has no effort to set`;
  if (effort !== null && !EFFORTS.includes(effort))
    return `there is no effort ${JSON.stringify(effort)}; there are ${EFFORTS.join(', ')}`;
  if (thinkingDisplay !== undefined && NO_ADAPTIVE_THINKING.has(id))
    return `${id} has no adaptive thinking, so none can be shown or left out`;
  return undefined;
}

const SAMPLING = ['temperature', 'topP', 'topK', 'top_p', 'top_k'];

/** Throws an Error of one line on settings that the service has had once. Without types they would be passed over. */
export function refuseSampling(settings: object): void {
  const found = SAMPLING.find((name) => name in settings);
  if (found !== undefined)
    throw new Error(`${found} cannot be set: the service has no sampling parameters any more`);
}
