/**
 * Any value as small plain JSON, for a viewer. It never throws and never takes long: what is too large, too deep, circular
 * or of a strange kind is marked in place. Nothing of the value itself is shared with the result.
 */
const LONGEST_TEXT = 1_000;
const MOST_ENTRIES = 100;
const DEEPEST = 8;
/** Of values in all, so that many small ones are no way around the other limits. */
const MOST_VALUES = 2_000;

export function shortened(value: unknown): unknown {
  let left = MOST_VALUES;
  const above = new Set<object>();

  const plain = (found: unknown): unknown => {
    left -= 1;
    if (left < 0) return '[…]';
    switch (typeof found) {
      case 'string':
        return found.length <= LONGEST_TEXT
          ? found
          : `${found.slice(0, LONGEST_TEXT)}… [${found.length.toLocaleString('en-US')} characters]`;
      case 'number':
        return Number.isFinite(found) ? found : `[${found}]`;
      case 'boolean':
        return found;
      case 'bigint':
        return `${found}n`;
      case 'object':
        return found === null ? null : inside(found);
      default:
        return `[${typeof found}]`;
    }
  };

  const inside = (found: object): unknown => {
    if (above.has(found)) return '[circular]';
    if (above.size >= DEEPEST) return '[deeper]';
    above.add(found);
    try {
      return partsOf(found);
    } catch {
      return '[unreadable]';
    } finally {
      above.delete(found);
    }
  };

  const partsOf = (found: object): unknown => {
    if (Array.isArray(found)) return some(found.length, (index) => plain(read(found, index)));
    if (found instanceof Error) return fields(found, ['name', 'message', 'cause']);
    if (found instanceof Date) return String(found);
    if (found instanceof Map) return { '[Map]': plain([...found].slice(0, MOST_ENTRIES)) };
    if (found instanceof Set) return { '[Set]': plain([...found].slice(0, MOST_ENTRIES)) };
    const prototype = Object.getPrototypeOf(found);
    if (prototype !== null && prototype !== Object.prototype) return `[${nameOf(found)}]`;
    return fields(found, Object.keys(found));
  };

  const fields = (found: object, names: readonly string[]): object => {
    const shown = names.filter((name) => name in found).slice(0, MOST_ENTRIES);
    const entries = shown.map((name) => [name, plain(read(found, name))]);
    const missing = names.length - MOST_ENTRIES;
    return Object.fromEntries(missing > 0 ? [...entries, ['[…]', `${missing} more`]] : entries);
  };

  const some = (count: number, at: (index: number) => unknown): unknown[] => [
    ...Array.from({ length: Math.min(count, MOST_ENTRIES) }, (_, index) => at(index)),
    ...(count > MOST_ENTRIES ? [`[… ${count - MOST_ENTRIES} more]`] : []),
  ];

  return plain(value);
}

/** A getter may throw, and so may anything behind a proxy. */
function read(found: object, name: string | number): unknown {
  try {
    return (found as { readonly [key: string | number]: unknown })[name];
  } catch {
    return '[unreadable]';
  }
}

const nameOf = (found: object): string => {
  const { name } = found.constructor ?? {};
  return typeof name === 'string' ? name : 'object';
};
