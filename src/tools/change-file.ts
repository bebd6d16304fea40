/** How the tools change a file: only as it was seen, kept first, in one step. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileVersion } from '../../machines/protocol.ts';
import { contentOf, type FoundFile, versionOf } from './file-content.ts';
import { spell } from './names.ts';
import { shownPath } from './paths.ts';
import { replaceFile } from './replace-file.ts';
import { type ToolContext, ToolFailure } from './tool.ts';

/**
 * What the model has not read it cannot be wrong about: an edit names the text that it replaces, and what a whole new
 * content replaces is kept.
 * @throws ToolFailure where the file is another one than the model read or wrote last in this run
 */
export function assertAsSeen(real: string, found: FoundFile, context: ToolContext): void {
  const path = shownPath(context.workspace, real);
  const seen = context.finishedCalls().findLast(({ file }) => file?.path === path)?.file;
  if (seen === undefined || seen.version === found.version) return;
  throw new ToolFailure(
    `${spell(path)} has changed since you last saw it (by a command, the person or another program), so nothing was written. Read it again, then make the change to what is there now.`,
  );
}

/** @param found what is replaced; undefined: nothing is there. @throws ToolFailure where that is no longer so */
export async function putFile(
  real: string,
  found: FoundFile | undefined,
  content: Buffer,
  { workspace, keepFile }: ToolContext,
): Promise<FileVersion> {
  const path = shownPath(workspace, real);
  const after = versionOf(content);
  if (found === undefined) {
    const folder = missingFolder(dirname(real));
    const madeFolder = folder && shownPath(workspace, folder);
    await keepFile({ path, before: null, after, ...(madeFolder !== undefined && { madeFolder }) });
  } else if (found.version !== after) {
    const before = { content: contentOf(found, path), mode: found.stats.mode & 0o7777 };
    await keepFile({ path, before, after });
  }
  await replaceFile(real, content, { expected: found?.stats ?? null });
  return { path, version: after };
}

/** The uppermost folder that has to be made for this one to be there. */
function missingFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return missingFolder(dirname(folder)) ?? folder;
}
