import { LIST_PRICES, type Price, type Prices, type Rates } from './price-list.ts';

const FIELDS = ['input', 'output', 'cache_write_5m', 'cache_write_1h', 'cache_read'] as const;
const ABOVE = 'above';
const PROMPT_TOKENS = 'prompt_tokens';
/** More is a slip. Up to here the multiples of a price are finite. */
const MOST_USD = 100_000;
const EXAMPLE = '{"my-model": {"input": 2, "output": 10}}';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A person's own prices, in USD for a million tokens, before those of the list: `{"my-model": {"input": 2, "output":
 * 10, "cache_write_5m": 2.5, "cache_write_1h": 4, "cache_read": 0.2, "above": {"prompt_tokens": 100000, "input": …}}}`.
 * The cache fields may be left out: they are then 1.25, 2 and 0.1 times the input. Throws an Error of one line that
 * names the model and the field.
 */
export function parsePrices(json: string): Prices {
  const models = parsed(json);
  return new Map([
    ...LIST_PRICES,
    ...Object.entries(models).map(([id, price]) => [id, checked(id, price)] as const),
  ]);
}

function parsed(json: string): Fields {
  try {
    return fieldsOf(JSON.parse(json.replace(/^\ufeff/, '')), `the file must be an object such as ${EXAMPLE}`);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Error(`The prices are not JSON: ${error.message.split('\n', 1)[0]}`);
    throw error;
  }
}

function checked(id: string, value: unknown): Price {
  const name = JSON.stringify(id);
  if (id === '__proto__') refuse(`${name} is no name of a model`);
  const { [ABOVE]: above, ...base } = fieldsOf(
    value,
    `${name} must be an object such as {"input": 2, "output": 10}`,
  );
  const price = ratesOf(base, name);
  if (above === undefined) return price;
  const at = `${name}, ${ABOVE}`;
  const { [PROMPT_TOKENS]: promptTokens, ...higher } = fieldsOf(above, `${at} must be an object`);
  if (!Number.isSafeInteger(promptTokens) || Number(promptTokens) < 0)
    refuse(`${at}: ${PROMPT_TOKENS} must be a whole number of tokens`);
  return { ...price, above: { promptTokens: Number(promptTokens), ...ratesOf(higher, at) } };
}

function ratesOf(fields: Fields, at: string): Rates {
  const unknown = Object.keys(fields).find((field) => !FIELDS.some((known) => known === field));
  if (unknown !== undefined)
    refuse(`${at} has an unknown field ${JSON.stringify(unknown)}; known: ${FIELDS.join(', ')}`);
  const read = (field: (typeof FIELDS)[number], otherwise?: number): number => {
    const value = fields[field] ?? otherwise;
    if (value === undefined) refuse(`${at} has no ${field}`);
    if (typeof value !== 'number' || !(value >= 0 && value <= MOST_USD))
      refuse(`${at}: ${field} must be a number of USD for a million tokens, from 0 to ${MOST_USD}`);
    return Number(value);
  };
  const input = read('input');
  return {
    input,
    output: read('output'),
    cacheWrite5m: read('cache_write_5m', input * 1.25),
    cacheWrite1h: read('cache_write_1h', input * 2),
    cacheRead: read('cache_read', input / 10),
  };
}

function fieldsOf(value: unknown, otherwise: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(otherwise);
  return { ...(value as Fields) };
}

function refuse(what: string): never {
  throw new Error(`The prices cannot be used: ${what}`);
}
