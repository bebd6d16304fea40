import * as z from 'zod';
import { assertAsSeen, fileOf, otherNamesNote, putFile } from './change-file.ts';
import { applyEdit } from './edit.ts';
import { contentOf, lookAt } from './file-content.ts';
import { fileFailure } from './file-failure.ts';
import { spell } from './names.ts';
import { findFile } from './paths.ts';
import { defineTool } from './tool.ts';

export const editFileTool = defineTool({
  name: 'edit_file',
  description:
    'Replaces a piece of text in a file by another one; all other bytes stay as they are. The old text is taken literally, white space included, and must occur exactly once, unless replace_all is true. Read the file first; if it has changed since, the edit is refused. In a file with Windows line ends you may write plain line ends. Works only inside the workspace.',
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
  fileOf,
  async run({ path, old_string, new_string, replace_all = false }, context) {
    const real = await findFile(context, path);
    try {
      const found = lookAt(real, path);
      assertAsSeen(real, found, context);
      const edit = { from: old_string, to: new_string, everywhere: replace_all };
      const { content, replaced, line } = applyEdit(contentOf(found, path), edit);
      const file = await putFile(real, found, content, context);
      const times =
        replaced === 1 ? `1 place, at line ${line}` : `${replaced} places, the first at line ${line}`;
      return {
        content: `Edited ${spell(file.path)}: ${times}.${otherNamesNote(found)}`,
        isError: false,
        file,
      };
    } catch (error) {
      throw fileFailure(error, 'edit', path);
    }
  },
});
