import { type ContentBlock, isText, type ToolContent } from '../../machines/protocol.ts';
import { isImage, MOST_IMAGE_TOKENS } from './image-tokens.ts';

/** Of what is left, the beginning gets more: outputs say first what they are. */
const HEAD_SHARE = 0.7;
/** For the line in the middle. */
const NOTE_BYTES = 200;
const NO_ROOM = '[A picture was left out: the budget of this run has no room for it.]';

/**
 * A result as far as it fits: its beginning and its end, and a line between them that says how much is missing and where the
 * whole is. A picture that does not fit is left out.
 * @param keep stores the whole and returns its path, or undefined where that is not possible
 */
export function fitResult(
  content: ToolContent,
  maxBytes: number,
  keep: (text: string) => string | undefined,
): ToolContent {
  if (typeof content === 'string') return fitText(content, maxBytes, keep);
  const [blocks, room] = withoutCostly(content, maxBytes);
  const texts = blocks.filter(isText).map(({ text }) => text);
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= room) return blocks;
  const text = fitText(texts.join('\n'), room, keep);
  return [{ type: 'text', text }, ...blocks.filter((block) => !isText(block))];
}

/** The blocks that there is room for, and what they leave to the texts. */
function withoutCostly(content: readonly ContentBlock[], maxBytes: number): [ContentBlock[], number] {
  let room = maxBytes;
  const blocks = content.map((block) => {
    if (!isImage(block)) return block;
    if (MOST_IMAGE_TOKENS > room) return { type: 'text', text: NO_ROOM };
    room -= MOST_IMAGE_TOKENS;
    return block;
  });
  return [blocks, room];
}

function fitText(text: string, maxBytes: number, keep: (text: string) => string | undefined): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  return headAndTail(text, bytes, Math.max(maxBytes - NOTE_BYTES, 0), keep(text));
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
