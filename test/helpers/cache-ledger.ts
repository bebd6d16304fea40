/**
 * The prompt cache of the service as a ledger: what each request would be charged for. It keeps prefixes that end at a
 * mark, finds them again from marks not farther away than the lookback, and forgets what was not used for a while.
 */
import { createHash } from 'node:crypto';
import { blocksOf, canonical, type Fields, isFields, listOf } from './strict-form.ts';

export interface LedgerRules {
  /** Tokens below which a prefix is not kept. */
  readonly minimum: number;
  readonly lookback: number;
  readonly lifetimeMs: number;
}

const DOCUMENTED: LedgerRules = { minimum: 1024, lookback: 20, lifetimeMs: 300_000 };

/** The input side of a usage object; its three figures add up to the whole prompt. */
export interface InputUsage extends Fields {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

interface Position {
  /** Of everything up to and with this block. */
  readonly key: string;
  readonly tokens: number;
  readonly isMarked: boolean;
}

/** @returns what a request at a time is charged for, in the order in which they come */
export function cacheLedger(rules: Partial<LedgerRules> = {}): (body: Fields, atMs?: number) => InputUsage {
  const { minimum, lookback, lifetimeMs } = { ...DOCUMENTED, ...rules };
  const expiry = new Map<string, number>();
  return (body, atMs = 0) => {
    const positions = positionsOf(body);
    const total = positions.at(-1)?.tokens ?? 0;
    const marks = positions.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
    const seen = marks.flatMap((mark) => positions.slice(Math.max(0, mark - lookback + 1), mark + 1));
    const hits = seen.filter(({ key }) => (expiry.get(key) ?? -1) >= atMs);
    const read = Math.max(0, ...hits.map(({ tokens }) => tokens));
    const kept = positions.filter(({ isMarked, tokens }) => isMarked && tokens >= minimum);
    for (const { key } of [...hits, ...kept]) expiry.set(key, atMs + lifetimeMs);
    const end = Math.max(read, kept.at(-1)?.tokens ?? 0);
    return {
      input_tokens: total - end,
      cache_creation_input_tokens: end - read,
      cache_read_input_tokens: read,
    };
  };
}

/** What the input of all requests costs, in units of one uncached token. */
export const inputCost = (usages: readonly InputUsage[]): number =>
  usages.reduce(
    (sum, usage) =>
      sum +
      usage.input_tokens +
      1.25 * usage.cache_creation_input_tokens +
      0.1 * usage.cache_read_input_tokens,
    0,
  );

export const promptTokens = (usage: InputUsage): number =>
  usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;

/** Tools, system, messages, in the service's order. What invalidates the messages alone is part of their keys. */
function positionsOf(body: Fields): Position[] {
  const system = typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : body.system;
  const settings = canonical([body.tool_choice, body.thinking, body.output_config]);
  const parts = [
    ...listOf(body.tools).map((tool) => ({ scope: 'tool', block: tool })),
    ...listOf(system).map((block) => ({ scope: 'system', block })),
    ...listOf(body.messages).flatMap((message) =>
      blocksOf(message).map((block) => ({
        scope: `${settings} ${isFields(message) ? message.role : ''}`,
        block,
      })),
    ),
  ];
  let key = '';
  let tokens = 0;
  return parts.map(({ scope, block }) => {
    const text = canonical(block);
    key = createHash('sha256').update(`${key} ${scope} ${text}`).digest('base64');
    tokens += Math.ceil(text.length / 4);
    return { key, tokens, isMarked: isFields(block) && block.cache_control !== undefined };
  });
}
