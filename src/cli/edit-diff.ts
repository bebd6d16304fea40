/** What a call would change in a file, as the person who decides sees it: a unified diff against the file as it is now. */
import { closeSync, existsSync, fstatSync, readFileSync } from 'node:fs';
import { structuredPatch } from 'diff';
import { applyEdit } from '../tools/edit.ts';
import { openChecked } from '../tools/opened.ts';
import { resolveInside } from '../tools/paths.ts';
import { assertNoSecrets } from '../tools/secret-files.ts';

/** Larger files are shown by the call's own texts. */
const LARGEST_BYTES = 1_000_000;
const LONGEST_MS = 500;

type Change =
  | { readonly content: string }
  | { readonly old_string: string; readonly new_string: string; readonly replace_all?: unknown };

/**
 * Lines that begin with "@@", " ", "-" or "+". undefined where there is no diff to be had: the file cannot be read or is no
 * text, the edit does not fit it, or it takes too long.
 */
export async function editDiff(
  workspace: string,
  path: string,
  change: Change,
): Promise<readonly string[] | undefined> {
  try {
    const real = await resolveInside({ workspace }, path);
    assertNoSecrets(path, real);
    if (!existsSync(real) && !('content' in change)) return undefined;
    const before = existsSync(real) ? contentOf(real) : Buffer.alloc(0);
    const after = 'content' in change ? change.content : textOf(edited(before, change));
    const patch = structuredPatch('', '', textOf(before), after, '', '', { context: 3, timeout: LONGEST_MS });
    return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${placeOf(oldStart, oldLines)} +${placeOf(newStart, newLines)} @@`,
      ...lines,
    ]);
  } catch {
    return undefined;
  }
}

/** Of nothing, a diff names the line before it. */
const placeOf = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;

function edited(before: Buffer, change: Exclude<Change, { content: string }>): Buffer {
  const { old_string: from, new_string: to, replace_all } = change;
  return applyEdit(before, { from, to, everywhere: replace_all === true }).content;
}

/** @throws TypeError for bytes that are no text */
const textOf = (bytes: Buffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

function contentOf(real: string): Buffer {
  const file = openChecked(real);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > LARGEST_BYTES) throw new RangeError('no file to be shown');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
