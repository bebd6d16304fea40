import stringWidth from 'fast-string-width';

/** Made when it is first used: it takes 20 ms, and most runs cut nothing. */
let segmenter: Intl.Segmenter | undefined;

/** What a person takes for one character: an emoji of several parts, a letter with its marks. */
function charactersOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** At most so many columns of a terminal, the last of them an ellipsis where something is missing. @param text printable, one line */
export function fitted(text: string, columns: number): string {
  if (columns < 1) return '';
  // No text is wider than twice its length.
  if (text.length * 2 <= columns) return text;
  let width = 0;
  let keptLength = 0;
  for (const { segment, index } of charactersOf(text)) {
    width += stringWidth(segment);
    if (width > columns) return `${text.slice(0, keptLength)}…`;
    if (width < columns) keptLength = index + segment.length;
  }
  return text;
}
