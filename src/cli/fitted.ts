/** Texts by the columns that a terminal gives them: an ideograph or an emoji takes two, a combining mark none. */
const MARK = /[\p{Mn}\p{Me}]|\u200c|\u200d/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const widthOf = (character: string): number => (MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** At most so many columns, the last of them an ellipsis where something is missing. @param text printable, one line */
export function fitted(text: string, columns: number): string {
  let width = 0;
  let keptLength = 0;
  let length = 0;
  for (const character of text) {
    width += widthOf(character);
    length += character.length;
    if (width < columns) keptLength = length;
    if (width > columns) return `${text.slice(0, keptLength)}…`;
  }
  return text;
}
