import * as z from 'zod';
import { MOST_RESULT_BYTES } from '../../machines/window.ts';
import { assertText, notText } from './binary.ts';
import { figure } from './figure.ts';
import { lookAt } from './file-content.ts';
import { codeOf, fileFailure } from './file-failure.ts';
import { spell } from './names.ts';
import { findFile, shownPath } from './paths.ts';
import { chunksOf, MAX_CHARACTERS, type Part, readChunks, readLines } from './read-lines.ts';
import { shownImage } from './show-image.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** For the line behind a part of a file, which says how it goes on. */
const NOTE_BYTES = 300;

export const readFileTool = defineTool({
  name: 'read_file',
  description: `Reads a text file (UTF-8) of the workspace and returns its text as it is, without line numbers. At most ${figure(MAX_CHARACTERS)} characters and ${figure(MOST_RESULT_BYTES)} bytes at once: of a longer file the first lines come, and a last line in square brackets tells the offset to go on with. A picture (PNG, JPEG, GIF, WebP) is shown to you.`,
  input: z.strictObject({
    path: z.string().min(1).describe('Path of the file, relative to the workspace.'),
    offset: z.int().min(1).optional().describe('Number of the first line to read, from 1. Default: 1.'),
    limit: z.int().min(1).optional().describe('How many lines to read at most. Default: as many as fit.'),
  }),
  effect: 'read',
  async run({ path, offset = 1, limit = Number.POSITIVE_INFINITY }, context) {
    const real = await findFile(context, path);
    context.signal.throwIfAborted();
    try {
      const found = lookAt(real, path);
      const file = { path: shownPath(context.workspace, real), version: found.version };
      const image = shownImage(found, file, context);
      if (image !== undefined) return image;
      assertText(found.head, path);
      const chunks = found.content ? chunksOf(found.content) : readChunks(real, context.signal);
      const room = Math.max(context.maxResultBytes - NOTE_BYTES, NOTE_BYTES);
      const part = await readLines(chunks, offset, limit, room).catch((error: unknown) => {
        throw codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? notText(path, found.head) : error;
      });
      return { content: shown(part, offset, path), isError: false, file };
    } catch (error) {
      throw fileFailure(error, 'read', path);
    }
  },
});

function shown({ text, lines, rest }: Part, offset: number, path: string): string {
  if (text === '' && rest === 'nothing') return emptyText(path, offset, lines);
  const last = offset + lines - 1;
  const gap = text.endsWith('\n') ? '' : '\n';
  switch (rest) {
    case 'nothing':
      return text;
    case 'lines':
      return `${text}${gap}[Lines ${offset} to ${last}. The file goes on: read it with offset ${last + 1}.]`;
    case 'line':
      return `${text}${gap}[This is the beginning of line ${offset}, which is too long to be shown. Its rest can be had with a program, such as cut -c; the next line, if there is one, has offset ${offset + 1}.]`;
  }
}

function emptyText(path: string, offset: number, lines: number): string {
  if (offset === 1) return '(empty file)';
  throw new ToolFailure(
    `${spell(path)} has ${lines} lines, so there is nothing at offset ${offset}. Use an offset from 1 to ${lines}.`,
  );
}
