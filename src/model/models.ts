/** What is known of models beforehand. A model that is not listed works too, with the cautious figures. */

export const DEFAULT_MODEL = 'claude-sonnet-5-5';

const UNLISTED_OUTPUT_CEILING = 64_000;

interface Size {
  /** Tokens that prompt and output may have together, and output alone. */
  readonly window: number;
  readonly output: number;
}

const LARGE: Size = { window: 1_000_000, output: 128_000 };
const SMALL: Size = { window: 200_000, output: 64_000 };

/** Ids with a date at the end are looked up without it. */
const SIZES: ReadonlyMap<string, Size> = new Map([
  ['claude-fable-5', LARGE],
  ['claude-fable-5-1', LARGE],
  ['claude-fable-5-2', LARGE],
  ['claude-mythos-5', LARGE],
  ['claude-mythos-5-1', LARGE],
  ['claude-mythos-5-2', LARGE],
  ['claude-opus-4-5', SMALL],
  ['claude-opus-4-6', LARGE],
  ['claude-opus-4-7', LARGE],
  ['claude-opus-4-8', LARGE],
  ['claude-opus-5', LARGE],
  ['claude-opus-5-5', LARGE],
  ['claude-sonnet-4-5', SMALL],
  ['claude-sonnet-4-6', LARGE],
  ['claude-sonnet-5', LARGE],
  ['claude-sonnet-5-5', LARGE],
  ['claude-haiku-4-5', SMALL],
  ['claude-haiku-5-5', LARGE],
]);

export const outputCeiling = (model: string): number =>
  SIZES.get(undated(model))?.output ?? UNLISTED_OUTPUT_CEILING;

/** null: not known. What a service behind another name can hold is not guessed. */
export const contextWindow = (model: string): number | null => SIZES.get(undated(model))?.window ?? null;

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
  if (!SIZES.has(id)) return undefined;
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
