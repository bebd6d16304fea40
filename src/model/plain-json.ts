/** Everything that walks through a reply later (journal, digests, copies) does so by recursion; the stack bears this. */
const DEEPEST = 512;

/** JSON can write it, and no service reads it again: the next request would be refused, and every one behind it. */
const HALF = 'it holds half a character (a lone surrogate)';

/**
 * Why a value cannot be kept as JSON, as the end of a sentence; undefined where it can. Looks at it level by level and
 * without recursion, so no depth and no circle is too much for it.
 */
export function obstacleToJson(value: unknown): string | undefined {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEEPEST) return `it is nested deeper than ${DEEPEST} levels`;
    const next = new Set<unknown>();
    for (const each of level) {
      if (typeof each === 'bigint' || typeof each === 'function' || typeof each === 'symbol')
        return `it holds a ${typeof each}`;
      if (typeof each === 'string' && !each.isWellFormed()) return HALF;
      if (typeof each !== 'object' || each === null) continue;
      if (!Array.isArray(each) && !isPlain(each)) return 'it holds an object that is no plain one';
      for (const [key, inner] of Object.entries(each)) {
        if (!key.isWellFormed()) return HALF;
        if (!isScalar(inner)) next.add(inner);
      }
    }
    level = [...next];
  }
  return undefined;
}

/** Of any realm: a script may be run in another one. */
function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Nothing in it need be looked at. */
const isScalar = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && value.isWellFormed()) ||
  typeof value === 'number' ||
  typeof value === 'boolean';
