/** How the service is asked: flags, and what an earlier process has recorded of them. */
import path from 'node:path';
import { parsePrices } from '../budget/parse-prices.ts';
import type { AnthropicOptions } from '../model/anthropic.ts';
import { objectionTo } from '../model/models.ts';
import type { Means } from '../options.ts';
import { choice, THINKING_DISPLAYS, type ThinkingDisplay } from './choices.ts';
import { duration } from './numbers.ts';
import { cannotRead, readRegularFile } from './read-file.ts';
import type { RunFlags } from './run-flags.ts';
import { UsageError } from './usage-error.ts';

const LARGEST_PRICES_BYTES = 1_000_000;

/** What of it is kept in the journal. Headers are not: they may be secret. */
export interface RecordedRequestSettings {
  /** Absolute path. */
  readonly prices: string | null;
  readonly betas: readonly string[];
  readonly cache: boolean;
  readonly thinking: ThinkingDisplay | null;
  readonly context_edits: boolean;
  readonly idle_timeout_ms: number | null;
  readonly max_retry_wait_ms: number | null;
}

export interface RequestSettings {
  readonly means: Pick<Means, 'prices' | 'idleTimeoutMs' | 'maxRetryWaitMs'>;
  readonly wire: Pick<AnthropicOptions, 'betas' | 'headers' | 'cache' | 'thinkingDisplay' | 'contextEdits'>;
  readonly recorded: RecordedRequestSettings;
}

type Flags = Pick<
  RunFlags,
  'prices' | 'betas' | 'header' | 'cache' | 'thinking' | 'contextEdits' | 'idleTimeout' | 'maxRetryWait'
>;

/**
 * @param isBudgeted a summary by the service costs what no budget foresees: there is none then
 * @param before what is recorded; flags win
 * @throws UsageError for what cannot work
 */
export async function requestSettings(
  flags: Flags,
  folder: string,
  isBudgeted: boolean,
  before: Partial<RecordedRequestSettings> = {},
): Promise<RequestSettings> {
  const prices = flags.prices === undefined ? (before.prices ?? null) : path.resolve(folder, flags.prices);
  const betas = flags.betas === undefined ? (before.betas ?? []) : betaNames(flags.betas);
  const cache = flags.cache !== false && (before.cache ?? true);
  const thinking =
    flags.thinking === undefined
      ? (before.thinking ?? null)
      : choice('--thinking', flags.thinking, THINKING_DISPLAYS);
  const contextEdits = flags.contextEdits ?? before.context_edits ?? false;
  const idleTimeoutMs = timeOf('--idle-timeout', flags.idleTimeout, before.idle_timeout_ms);
  const maxRetryWaitMs = timeOf('--max-retry-wait', flags.maxRetryWait, before.max_retry_wait_ms);
  return {
    means: {
      ...(prices !== null && { prices: await readPrices(prices) }),
      ...(idleTimeoutMs !== null && { idleTimeoutMs }),
      ...(maxRetryWaitMs !== null && { maxRetryWaitMs }),
    },
    wire: {
      betas,
      headers: headersOf(flags.header ?? []),
      cache,
      ...(thinking !== null && { thinkingDisplay: thinking }),
      ...(contextEdits && { contextEdits: isBudgeted ? ['clear'] : ['clear', 'compact'] }),
    },
    recorded: {
      prices,
      betas,
      cache,
      thinking,
      context_edits: contextEdits,
      idle_timeout_ms: idleTimeoutMs,
      max_retry_wait_ms: maxRetryWaitMs,
    },
  };
}

/**
 * Nothing is started that the service is known to refuse.
 * @param models those that may be asked. @throws UsageError
 */
export function refuseKnown(
  models: readonly (string | null | undefined)[],
  effort: string | null,
  { thinkingDisplay }: RequestSettings['wire'],
): void {
  for (const model of models) {
    const objection = typeof model === 'string' ? objectionTo(model, { effort, thinkingDisplay }) : undefined;
    if (objection !== undefined)
      throw new UsageError(
        `The service would refuse the request: ${objection}. Leave it out, or take another model.`,
      );
  }
}

const timeOf = (name: string, flag: string | undefined, before: number | null = null): number | null =>
  flag === undefined ? before : duration(name, flag);

function betaNames(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new UsageError(`--betas needs names separated by commas, not ${JSON.stringify(list)}.`);
  return names;
}

/** The value may be a key, so no complaint repeats it. */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/.exec(line) ?? [];
      if (name === '') throw new UsageError('--header must be a line "name: value".');
      return [name, value];
    }),
  );
}

async function readPrices(file: string) {
  const text = await readRegularFile(file, LARGEST_PRICES_BYTES).catch((error) => {
    throw cannotRead('--prices file', file, error);
  });
  try {
    return parsePrices(text);
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}.`);
  }
}
