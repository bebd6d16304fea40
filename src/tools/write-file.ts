import * as z from 'zod';
import { assertAsSeen, fileOf, otherNamesNote, putFile } from './change-file.ts';
import { contentOf, lookFor, versionOf } from './file-content.ts';
import { fileFailure } from './file-failure.ts';
import { spell } from './names.ts';
import { lookAlikes, resolveInside } from './paths.ts';
import { assertNoSecrets } from './secret-files.ts';
import { inStyleOf } from './text-style.ts';
import { defineTool } from './tool.ts';

export const writeFileTool = defineTool({
  name: 'write_file',
  description:
    'Writes a text file (UTF-8): creates it, with its folders where they are missing, or replaces the whole content of an existing one, whose Windows line ends and byte order mark are kept. If the file has changed since you read it, nothing is written. To change a part of a file, use edit_file. Works only inside the workspace.',
  input: z.strictObject({
    path: z.string().min(1).describe('Path of the file, relative to the workspace.'),
    content: z.string().describe('The complete new content of the file.'),
  }),
  effect: 'idempotent',
  fileOf,
  async run({ path, content: text }, context) {
    const real = await resolveInside(context, path);
    assertNoSecrets(path, real);
    try {
      const found = lookFor(real, path);
      const content = inStyleOf(found && contentOf(found, path), text);
      // What is there already was written by this call, before a crash.
      if (found?.version !== versionOf(content)) assertAsSeen(real, found, context);
      const file = await putFile(real, found, content, context);
      const what = found === undefined ? 'Created' : 'Replaced the content of';
      const note = found === undefined ? await twinNote(real) : otherNamesNote(found);
      return {
        content: `${what} ${spell(file.path)} (${content.length} bytes).${note}`,
        isError: false,
        file,
      };
    } catch (error) {
      throw fileFailure(error, 'write', path);
    }
  },
});

async function twinNote(real: string): Promise<string> {
  const twins = await lookAlikes(real);
  if (twins.length === 0) return '';
  return ` Beside it there is ${twins.map(spell).join(', ')}, whose name differs only in case or in how its letters are written: make sure that you meant a new file.`;
}
