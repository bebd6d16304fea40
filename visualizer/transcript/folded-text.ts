const FOLDED = { lines: 12, letters: 1_600 };

/** What of a text is shown while it is folded. */
export function beginningOf(text: string): string {
  let end = Math.min(text.length, FOLDED.letters);
  let at = -1;
  for (let line = 0; line < FOLDED.lines; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1 || at >= end) return text.slice(0, end);
  }
  end = Math.min(end, at);
  return text.slice(0, end);
}
