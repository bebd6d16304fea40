/** How the tools change a file: only as it was seen, kept first, in one step. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileState, FileVersion } from '../../machines/protocol.ts';
import { contentOf, type FoundFile, lookFor, versionOf } from './file-content.ts';
import { codeOf } from './file-failure.ts';
import { spell } from './names.ts';
import { resolveInside, shownPath } from './paths.ts';
import { replaceFile } from './replace-file.ts';
import { type ToolContext, ToolFailure } from './tool.ts';

/** undefined: the call will be refused anyway, and says why then. */
export async function fileOf(
  { path }: { readonly path: string },
  workspace: string,
): Promise<FileState | undefined> {
  try {
    const real = await resolveInside({ workspace }, path);
    return { path: shownPath(workspace, real), version: lookFor(real, path)?.version ?? null };
  } catch (error) {
    if (error instanceof ToolFailure || codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/**
 * What the model has not read it cannot be wrong about: an edit names the text that it replaces, and what a whole new
 * content replaces is kept. A person who was asked has seen the file, or that there was none, and allowed that change alone.
 * @param found undefined: nothing is there
 * @throws ToolFailure where the file is another one than the person was asked about, or than the model read or wrote last in
 * this run
 */
export function assertAsSeen(real: string, found: FoundFile | undefined, context: ToolContext): void {
  const { asked } = context;
  const path = shownPath(context.workspace, real);
  if (asked && (asked.path !== path || asked.version !== (found?.version ?? null)))
    throw new ToolFailure(
      `${changeOf(asked, path, found)} since the person was asked about this call, so their yes is not for what is there now, and nothing was written. Look at it again, then make the change anew: the person is asked again.`,
    );
  if (found === undefined) return;
  const seen = context.finishedCalls().findLast(({ file }) => file?.path === path)?.file;
  if (seen === undefined || seen.version === found.version) return;
  throw new ToolFailure(
    `${spell(path)} has changed since you last saw it (by a command, the person or another program), so nothing was written. Read it again, then make the change to what is there now.`,
  );
}

function changeOf(asked: FileState, path: string, found: FoundFile | undefined): string {
  if (asked.path !== path)
    return `The path has come to lead to ${spell(path)} and not to ${spell(asked.path)}`;
  if (found === undefined) return `${spell(path)} has been removed`;
  return `${spell(path)} has ${asked.version === null ? 'been created' : 'changed'}`;
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

/** A file is replaced and never written into, so its other names (hard links) still lead to the old one. */
export function otherNamesNote(found: FoundFile | undefined): string {
  const names = found?.stats.nlink ?? 1;
  return names > 1 ? ` The file had ${names} names (hard links); the others keep the old content.` : '';
}

/** The uppermost folder that has to be made for this one to be there. */
function missingFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return missingFolder(dirname(folder)) ?? folder;
}
