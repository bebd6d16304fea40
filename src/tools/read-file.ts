import { z } from 'zod';
import { fileFailure } from './file-failure.ts';
import { spell } from './names.ts';
import { findFile } from './paths.ts';
import { count } from './process-limits.ts';
import { MAX_CHARACTERS, readLines } from './read-lines.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const readFileTool = defineTool({
  name: 'read_file',
  description: `Reads a text file (UTF-8) of the workspace and returns its text as it is, without line numbers. At most ${count(MAX_CHARACTERS)} characters at once: of a longer file the first lines come, and a last line in square brackets tells the offset to go on with.`,
  input: z.strictObject({
    path: z.string().min(1).describe('Path of the file, relative to the workspace.'),
    offset: z.int().min(1).optional().describe('Number of the first line to read, from 1. Default: 1.'),
    limit: z.int().min(1).optional().describe('How many lines to read at most. Default: as many as fit.'),
  }),
  effect: 'read',
  async run({ path, offset = 1, limit = Number.POSITIVE_INFINITY }, { workspace, signal }) {
    const real = await findFile(workspace, path);
    try {
      const { text, lines, rest } = await readLines(real, offset, limit, signal);
      if (text === '') return emptyText(path, offset, lines);
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
    } catch (error) {
      throw fileFailure(error, 'read', path);
    }
  },
});

function emptyText(path: string, offset: number, lines: number): string {
  if (offset === 1) return '(empty file)';
  throw new ToolFailure(
    `${spell(path)} has ${lines} lines, so there is nothing at offset ${offset}. Use an offset from 1 to ${lines}.`,
  );
}
