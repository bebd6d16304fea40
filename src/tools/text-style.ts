const MARK = '\ufeff';

/**
 * A new content in the form that the file had: models write plain line ends and no byte order mark, whatever they have read.
 * Mixed line ends have no form to keep.
 */
export function inStyleOf(before: Buffer | undefined, text: string): Buffer {
  const old = before?.toString('utf8') ?? '';
  const lineEnds = /\n/.test(old) && !/(?<!\r)\n/.test(old) && !text.includes('\r');
  const mark = old.startsWith(MARK) && !text.startsWith(MARK) ? MARK : '';
  return Buffer.from(mark + (lineEnds ? text.replaceAll('\n', '\r\n') : text));
}
