/** What a run has done to files, as its records tell it. */
import type { FileKept, JournalRecord } from './record.ts';

export interface ChangedFile {
  /** From the workspace on. */
  readonly path: string;
  /** What it was before; null: there was none. */
  readonly before: FileKept['before'];
  /** All that it has been since, by the run's own doing: the last change may have been cut off, or some may be undone already. */
  readonly versions: ReadonlySet<string | null>;
}

export interface FileChanges {
  readonly files: readonly ChangedFile[];
  /** Those that were made for files, from the workspace on. */
  readonly madeFolders: readonly string[];
}

/** @param after number of the last record whose changes stay */
export function fileChanges(records: readonly JournalRecord[], after: number): FileChanges {
  const files = new Map<string, ChangedFile>();
  const madeFolders: string[] = [];
  for (const record of records) {
    if (record.type !== 'file.kept' || record.seq <= after) continue;
    const { path, before, madeFolder } = record;
    const first = files.get(path);
    const versions = new Set([...(first?.versions ?? []), before?.digest ?? null, record.after]);
    files.set(path, { path, before: first === undefined ? before : first.before, versions });
    if (madeFolder !== undefined) madeFolders.push(madeFolder);
  }
  return { files: [...files.values()], madeFolders };
}
