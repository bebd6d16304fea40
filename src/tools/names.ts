/** File names as they are shown to the model: visible, on one line, and telling look-alikes apart. */

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const NOT_ASCII = /[^\x20-\x7e]/gu;
const LONGEST_SHOWN = 300;

const escapeUnits = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

/** Line ends, terminal codes, text direction marks and the like become \uXXXX, so that a name cannot pose as more than a name. */
export const escapeHidden = (name: string): string => name.replace(HIDDEN, escapeUnits);

export const cut = (name: string, longest: number): string =>
  name.length > longest ? `${name.slice(0, longest)}...` : name;

/** The name, cut to a readable length, and behind it, where it has letters outside ASCII, how it is spelt: `café (caf\u00e9)`. */
export function spell(name: string): string {
  const shown = cut(name, LONGEST_SHOWN);
  const visible = escapeHidden(shown);
  const ascii = shown.replace(NOT_ASCII, escapeUnits);
  return visible === ascii ? ascii : `${visible} (${ascii})`;
}
