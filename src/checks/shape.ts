/**
 * What options from plain JavaScript are held against. A key that is misspelt would be passed over without a word, and a limit,
 * a policy or a sandbox would be none.
 */
import { types } from 'node:util';
import { closeNames } from './close-names.ts';
import { OptionsError } from './options-error.ts';

/** The form of one option: `words` stands behind "must be". */
export interface Shape {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

/** One for each key of a type, so that what is known cannot fall behind it: `{ … } satisfies Shapes<RunOptions>`. */
export type Shapes<Options> = { readonly [Key in keyof Required<Options>]: Shape };

/**
 * @param what takes the options, such as "run()"
 * @param needed keys that cannot be left out
 * @throws OptionsError in one line that names the key
 */
export function checkShape(
  what: string,
  given: unknown,
  shapes: Readonly<Record<string, Shape>>,
  needed: readonly string[] = [],
): void {
  if (!isObject(given)) throw new OptionsError(`${what} must be given an object, and not ${kindOf(given)}.`);
  checkKeys(what, given, Object.keys(shapes));
  for (const [key, { words, fits }] of Object.entries(shapes)) {
    const value = given[key];
    if (value === undefined ? needed.includes(key) : !fits(value))
      throw new OptionsError(`${what}: ${key} must be ${words}, and not ${kindOf(value)}.`);
  }
}

/** @throws OptionsError in one line that names the key, and what may have been meant */
export function checkKeys(what: string, given: object, known: readonly string[]): void {
  const unknown = unknownKey(given, known);
  if (unknown === undefined) return;
  const { key, near } = unknown;
  const hint = near === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${near}?`;
  throw new OptionsError(`${what} does not know ${JSON.stringify(key)}. ${hint}`);
}

/**
 * An instance of a class may have fields of its own; of any other object, each key must be known.
 * @returns the first one that is not, and the known one that is nearest to it; undefined: all are known
 */
export function unknownKey(
  given: object,
  known: readonly string[],
): { readonly key: string; readonly near: string | undefined } | undefined {
  const key = isPlain(given) ? Object.keys(given).find((each) => !known.includes(each)) : undefined;
  return key === undefined ? undefined : { key, near: closeNames(key, known)[0] };
}

/** What a value is, and never what is in it: it may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Also of another realm, whose objects have another prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const isText = (value: unknown): boolean => typeof value === 'string';

export const TEXT: Shape = { words: 'a text', fits: isText };
export const TEXT_OR_NULL: Shape = {
  words: 'a text or null',
  fits: (value) => value === null || isText(value),
};
export const BOOLEAN: Shape = { words: 'true or false', fits: (value) => typeof value === 'boolean' };
export const FUNCTION: Shape = { words: 'a function', fits: (value) => typeof value === 'function' };
export const NUMBER: Shape = { words: 'a number', fits: (value) => typeof value === 'number' };
export const OBJECT: Shape = { words: 'an object', fits: isObject };
export const MILLISECONDS: Shape = {
  words: 'a number of milliseconds',
  fits: (value) => typeof value === 'number' && value >= 0,
};
export const PATTERNS: Shape = {
  words: 'a list of regular expressions',
  fits: (value) => Array.isArray(value) && value.every((each) => types.isRegExp(each)),
};
export const TEXTS: Shape = {
  words: 'a list of texts',
  fits: (value) => Array.isArray(value) && value.every(isText),
};
/** What is in it is looked at by whoever uses it. */
export const LIST: Shape = { words: 'a list', fits: Array.isArray };

export const oneOf = (words: readonly unknown[]): Shape => ({
  words: `one of ${words.join(', ')}`,
  fits: (value) => words.includes(value),
});

export const listOf = (words: readonly unknown[]): Shape => ({
  words: `a list of ${words.join(', ')}`,
  fits: (value) => Array.isArray(value) && value.every((each) => words.includes(each)),
});

/** Something that does its work by methods, whatever else it has. */
export function objectWith(methods: readonly string[], hint = ''): Shape {
  return {
    words: `an object with ${methods.map((name) => `${name}()`).join(', ')}${hint}`,
    fits: (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
  };
}
