/** Headers that a person adds to each request. */
export interface ExtraHeaders {
  /** Values of the header `anthropic-beta`, such as "context-management-2025-06-27". */
  readonly betas?: readonly string[];
  /** By name; names are taken in any case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Those that pawl or the transport decides on, with what is to be used instead. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['authorization', 'give a key or a token'],
  ['x-api-key', 'give a key'],
  ['anthropic-beta', 'name the betas'],
  ['anthropic-version', 'pawl speaks one version'],
  ['content-type', 'pawl writes the body'],
  ['content-length', 'pawl writes the body'],
  ['content-encoding', 'pawl writes the body'],
  ['transfer-encoding', 'pawl writes the body'],
  ['accept-encoding', 'pawl reads the answer'],
  ['connection', 'pawl keeps its connections'],
  ['host', 'give the base address'],
]);

/**
 * The headers in lower case. Throws an Error of one line on what fits into no header or is not the person's to say;
 * values, which may be secrets, are not in it.
 */
export function headersOf({ betas = [], headers = {} }: ExtraHeaders): Readonly<Record<string, string>> {
  const wrong = betas.find((beta) => !/^[\w.-]+$/.test(beta));
  if (wrong !== undefined)
    throw new Error(`A beta is a name such as context-management-2025-06-27, not ${JSON.stringify(wrong)}`);
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of given) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw new Error(`${JSON.stringify(name)} is no name for a header`);
    if (TAKEN.has(name)) throw new Error(`The header ${name} cannot be set: ${TAKEN.get(name)}`);
    if (!/^[\x20-\x7e\t]*$/.test(value))
      throw new Error(`The value of the header ${name} holds characters that fit into no header`);
  }
  return {
    ...Object.fromEntries(given),
    ...(betas.length > 0 && { 'anthropic-beta': [...new Set(betas)].join(',') }),
  };
}

/** Shorter values are no secrets, and are found everywhere. */
const SHORTEST_SECRET = 8;

/** Values that must not be seen, judged by the names of their headers. */
export const secretsIn = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers)
    .filter(
      ([name, value]) =>
        /auth|key|token|secret|cookie|password/.test(name) && value.length >= SHORTEST_SECRET,
    )
    .map(([, value]) => value);
