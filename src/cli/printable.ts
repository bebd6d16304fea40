/**
 * Text of models, tools and files is hostile: control characters move the cursor and forge prompts, bidirectional marks
 * show text in another order than it has. Both are made visible before a terminal gets them. The two joiners are spared
 * between characters outside ASCII, where emoji and several scripts need them.
 */
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}|(?<![^\u0000-\u007f])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u007f])/gu;

/** Several lines: line feeds and tabs stay, all else that is no visible character becomes an escape such as \x1b. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

/** One line: line feeds and tabs become escapes too. */
export const printableLine = (text: string): string =>
  printable(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/** The same with a full stop: what is thrown deeper down is often half of a sentence, to be put into others. */
export const printableSentence = (text: string): string => printableLine(text.replace(/\.?$/, '.'));

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\r') return '\\r';
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}
