/** Files as the tools find them, read once they are open, and what tells one content from another. */
import { hash } from 'node:crypto';
import { closeSync, fstatSync, readFileSync, readSync, type Stats } from 'node:fs';
import { codeOf } from './file-failure.ts';
import { spell } from './names.ts';
import { openChecked } from './opened.ts';
import { assertFile } from './paths.ts';
import { ToolFailure } from './tool.ts';

/** Of larger files the old content is not kept, so the tools do not change them. */
const LARGEST_CHANGED_BYTES = 10_000_000;
const HEAD_BYTES = 8_192;

export interface FoundFile {
  readonly stats: Stats;
  /** undefined: it is too large to be changed. */
  readonly content: Buffer | undefined;
  /** The first bytes, by which its kind is known. */
  readonly head: Buffer;
  readonly version: string;
}

/** The same for the same content, and for no other one. */
export const versionOf = (content: Uint8Array): string => hash('sha256', content, 'hex');

/** @param real real path. @param path as the model wrote it. @throws ToolFailure where it is no ordinary file */
export function lookAt(real: string, path: string): FoundFile {
  const file = openChecked(real);
  try {
    const stats = fstatSync(file);
    assertFile(stats, path);
    if (stats.size > LARGEST_CHANGED_BYTES) {
      const head = Buffer.alloc(HEAD_BYTES);
      // One word for all of them: what is read there is never changed, unless the file has become smaller by then.
      return {
        stats,
        content: undefined,
        head: head.subarray(0, readSync(file, head)),
        version: 'over 10 MB',
      };
    }
    const content = readFileSync(file);
    return { stats, content, head: content.subarray(0, HEAD_BYTES), version: versionOf(content) };
  } finally {
    closeSync(file);
  }
}

/** undefined: there is nothing. @throws ToolFailure like lookAt */
export function lookFor(real: string, path: string): FoundFile | undefined {
  try {
    return lookAt(real, path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws ToolFailure where the file is too large for that */
export function contentOf({ content }: FoundFile, path: string): Buffer {
  if (content === undefined)
    throw new ToolFailure(
      `${spell(path)} is larger than 10 MB, so its old content could not be kept. Change it with a program instead, such as sed.`,
    );
  return content;
}
