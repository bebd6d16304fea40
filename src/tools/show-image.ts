import type { FileVersion } from '../../machines/protocol.ts';
import { figure } from './figure.ts';
import type { FoundFile } from './file-content.ts';
import { type Image, imageOf } from './image.ts';
import { spell } from './names.ts';
import { type ToolContext, ToolFailure, type ToolOutput } from './tool.ts';

/** What the service takes: 5 MB in base64 and 8,000 pixels a side. */
const LARGEST_BYTES = 3_750_000;
const LONGEST_SIDE = 8_000;
/** All pictures of a run go out with each request, which has its own limit, and takes but 20 that are not small. */
const MOST_IMAGES = 20;
const MOST_BYTES = 15_000_000;

/**
 * The picture as a block for the model; undefined: the file is none. One that the service refuses would stay in the history and
 * end the run, so that what could be refused is not shown.
 * @param file where it lies. @throws ToolFailure that says what to do instead
 */
export function shownImage(
  { head, content, stats }: FoundFile,
  file: FileVersion,
  context: ToolContext,
): ToolOutput | undefined {
  const image = imageOf(content ?? head);
  if (image === undefined) return undefined;
  const kind = image.mediaType.slice('image/'.length).toUpperCase();
  const words = `${spell(file.path)} is a ${kind} picture (${image.width} × ${image.height} pixels, ${figure(stats.size)} bytes)`;
  const problem = problemOf(image, stats.size, context);
  if (problem !== undefined || content === undefined) throw new ToolFailure(`${words}. ${problem}`);
  const source = { type: 'base64', media_type: image.mediaType, data: content.toString('base64') };
  return {
    content: [
      { type: 'text', text: `${words}:` },
      { type: 'image', source },
    ],
    isError: false,
    file: { ...file, imageBytes: content.length },
  };
}

function problemOf(
  { width, height, isWhole }: Image,
  bytes: number,
  context: ToolContext,
): string | undefined {
  if (bytes > LARGEST_BYTES || Math.max(width, height) > LONGEST_SIDE)
    return `Pictures of up to ${figure(LARGEST_BYTES)} bytes and ${figure(LONGEST_SIDE)} pixels a side can be shown: make a smaller copy of it with a program.`;
  if (!isWhole || width === 0 || height === 0)
    return 'It is damaged or cut off, so it cannot be shown. Find out what wrote it.';
  const earlier = context.finishedCalls().flatMap(({ file }) => file?.imageBytes ?? []);
  const sum = earlier.reduce((total, one) => total + one, bytes);
  if (earlier.length >= MOST_IMAGES || sum > MOST_BYTES)
    return `This run has been shown ${earlier.length} pictures, and one more does not fit into a request. Go on without it, or look at it with a program.`;
  return undefined;
}
