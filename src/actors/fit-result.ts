import { type ContentBlock, isText, type ToolContent } from '../../machines/protocol.ts';

/** Characters of a result that no budget makes shorter. Tools have limits of their own, most of them lower. */
export const MOST_RESULT_BYTES = 100_000;

/** Of what is left, the beginning gets more: outputs say first what they are. */
const HEAD_SHARE = 0.7;
/** For the line in the middle. */
const NOTE_BYTES = 200;

/**
 * A result as far as it fits: its beginning and its end, and a line between them that says how much is missing and where the
 * whole is.
 * @param keep stores the whole and returns its path, or undefined where that is not possible
 */
export function fitResult(
  content: ToolContent,
  maxBytes: number,
  keep: (text: string) => string | undefined,
): ToolContent {
  const texts = typeof content === 'string' ? [content] : content.filter(isText).map(({ text }) => text);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= maxBytes) return content;
  const whole = texts.join('\n');
  const fitted = headAndTail(whole, bytes, Math.max(maxBytes - NOTE_BYTES, 0), keep(whole));
  if (typeof content === 'string') return fitted;
  const others: readonly ContentBlock[] = content.filter((block) => !isText(block));
  return [{ type: 'text', text: fitted }, ...others];
}

function headAndTail(text: string, bytes: number, room: number, path: string | undefined): string {
  const buffer = Buffer.from(text);
  const head = decoded(buffer.subarray(0, Math.floor(room * HEAD_SHARE)));
  const tail = decoded(buffer.subarray(buffer.length - Math.ceil(room * (1 - HEAD_SHARE))));
  const where =
    path === undefined ? 'The rest was not kept' : `The whole is in ${path}: read it with read_file`;
  return `${head}\n[… ${bytes} bytes in all, of which the middle was left out. ${where}. …]\n${tail}`;
}

/** Half characters at the cut are left out. */
const decoded = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\ufffd+|\ufffd+$/g, '');
