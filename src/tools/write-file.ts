import { z } from 'zod';
import { fileFailure } from './file-failure.ts';
import { spell } from './names.ts';
import { assertFile, resolveInside, shownPath } from './paths.ts';
import { replaceFile, statOf } from './replace-file.ts';
import { assertNoSecrets } from './secret-files.ts';
import { defineTool } from './tool.ts';

export const writeFileTool = defineTool({
  name: 'write_file',
  description:
    'Writes a text file (UTF-8): creates it, with its folders where they are missing, or replaces the whole content of an existing one. To change a part of a file, use edit_file. Works only inside the workspace.',
  input: z.strictObject({
    path: z.string().min(1).describe('Path of the file, relative to the workspace.'),
    content: z.string().describe('The complete new content of the file, written as it is.'),
  }),
  effect: 'idempotent',
  async run({ path, content }, { workspace }) {
    const real = await resolveInside(workspace, path);
    assertNoSecrets(path, real);
    try {
      const before = await statOf(real);
      if (before !== undefined) assertFile(before, path);
      await replaceFile(real, content);
      const what = before === undefined ? 'Created' : 'Replaced the content of';
      return `${what} ${spell(shownPath(workspace, real))} (${Buffer.byteLength(content)} bytes).`;
    } catch (error) {
      throw fileFailure(error, 'write', path);
    }
  },
});
