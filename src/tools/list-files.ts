import * as z from 'zod';
import { figure } from './figure.ts';
import { fileFailure } from './file-failure.ts';
import { listTree, MAX_ENTRIES } from './list-tree.ts';
import { escapeHidden } from './names.ts';
import { findFolder, isClosed, shownPath } from './paths.ts';
import { defineTool } from './tool.ts';

export const listFilesTool = defineTool({
  name: 'list_files',
  description: `Lists the files and folders below a folder of the workspace, sorted, one path a line, as the other tools take it. Folders end in "/"; links show where they lead and are not followed. The content of .git and node_modules is left out, unless the path names such a folder. At most ${figure(MAX_ENTRIES)} entries, the upper levels first.`,
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .default('.')
      .describe('Folder to list, relative to the workspace. Default: all of it.'),
  }),
  effect: 'read',
  async run({ path }, context) {
    const { workspace, signal } = context;
    const folder = await findFolder(context, path);
    try {
      const isEntered = (at: string) => !isClosed(context, at);
      const { entries, unreadable, isComplete } = await listTree(folder, signal, isEntered);
      const prefix = folder === workspace ? '' : `${shownPath(workspace, folder)}/`;
      const notes: string[] = [];
      if (!isComplete)
        notes.push('There are more entries. List a folder of these by its path to see the rest.');
      if (unreadable.length > 0) notes.push(`Could not be read: ${unreadable.join(', ')}.`);
      const lines = entries.map((entry) => prefix + entry);
      if (lines.length === 0) lines.push('(empty folder)');
      return [...lines.map(escapeHidden), ...notes.map((note) => `[${escapeHidden(note)}]`)].join('\n');
    } catch (error) {
      throw fileFailure(error, 'list', path);
    }
  },
});
