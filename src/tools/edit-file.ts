import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { applyEdit } from './edit.ts';
import { fileFailure } from './file-failure.ts';
import { spell } from './names.ts';
import { openChecked } from './opened.ts';
import { assertFile, findFile, shownPath } from './paths.ts';
import { replaceFile } from './replace-file.ts';
import { defineTool, ToolFailure } from './tool.ts';

const LARGEST_FILE_BYTES = 10_000_000;

export const editFileTool = defineTool({
  name: 'edit_file',
  description:
    'Replaces a piece of text in a file by another one; all other bytes stay as they are. The old text is taken literally, white space included, and must occur exactly once, unless replace_all is true. Read the file first. In a file with Windows line ends you may write plain line ends. Works only inside the workspace.',
  input: z.strictObject({
    path: z.string().min(1).describe('Path of an existing file, relative to the workspace.'),
    old_string: z
      .string()
      .describe(
        'The text to replace, exactly as it stands in the file, with enough lines around it to be unique.',
      ),
    new_string: z
      .string()
      .describe('The text to put in its place, taken literally. Empty: the old text is deleted.'),
    replace_all: z.boolean().optional().describe('true: replace every occurrence. Default: false.'),
  }),
  effect: 'effectful',
  async run({ path, old_string, new_string, replace_all = false }, { workspace }) {
    const real = await findFile(workspace, path);
    try {
      const edit = { from: old_string, to: new_string, everywhere: replace_all };
      const { content, replaced, line } = applyEdit(contentOf(real, path), edit);
      await replaceFile(real, content);
      const times =
        replaced === 1 ? `1 place, at line ${line}` : `${replaced} places, the first at line ${line}`;
      return `Edited ${spell(shownPath(workspace, real))}: ${times}.`;
    } catch (error) {
      throw fileFailure(error, 'edit', path);
    }
  },
});

function contentOf(real: string, path: string): Buffer {
  const file = openChecked(real);
  try {
    const stats = fstatSync(file);
    assertFile(stats, path);
    if (stats.size > LARGEST_FILE_BYTES)
      throw new ToolFailure(
        `${spell(path)} is larger than 10 MB. Change it with a program instead, such as sed.`,
      );
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
