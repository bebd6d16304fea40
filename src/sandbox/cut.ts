/**
 * Secrets are taken out of a result where they stand whole, after it was shortened. What touches a cut may be a part of
 * one, so it goes with what was cut away: the piece up to the next white space, since there is none in a key or a token.
 */

/** A secret of this length at most may lie across a cut and leaves nothing behind. In characters (UTF-16 units). */
const LONGEST_PIECE = 4_096;

/** @param text that was cut at its end, perhaps within a character */
export function beforeCut(text: string): string {
  let end = text.length;
  const start = Math.max(0, end - LONGEST_PIECE);
  while (end > start && !isBlank(text, end - 1)) end -= 1;
  return text.slice(0, end > 0 && isHalf(text, end - 1, HIGH_SURROGATES) ? end - 1 : end);
}

/** @param text that was cut at its beginning, perhaps within a character */
export function behindCut(text: string): string {
  let start = 0;
  const end = Math.min(text.length, LONGEST_PIECE);
  while (start < end && !isBlank(text, start)) start += 1;
  return text.slice(isHalf(text, start, LOW_SURROGATES) ? start + 1 : start);
}

const HIGH_SURROGATES = 0xd800;
const LOW_SURROGATES = 0xdc00;

const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at));

/** The next one of a pair is missing on the other side of the place. */
const isHalf = (text: string, at: number, block: number): boolean => (text.charCodeAt(at) & 0xfc00) === block;
