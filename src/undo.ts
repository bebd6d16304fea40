/** Takes back what a run has done to files through its tools. What its commands have done, nobody has kept. */
import { type FileChanges, fileChanges } from './journal/file-changes.ts';
import { keptContent, keptPath } from './journal/kept-files.ts';
import type { JournalRecord } from './journal/record.ts';
import { type Place, placeOf, removeEmptied, removeFile, restoreFile } from './tools/restore-file.ts';

export interface UndoStep {
  /** From the workspace on. */
  readonly path: string;
  /** `as it was`: there is nothing to do. `refuse`: something of somebody else would be lost. */
  readonly action: 'restore' | 'remove' | 'as it was' | 'refuse';
  /** Why it is refused. */
  readonly reason?: string;
  /** Where the content from before lies. */
  readonly kept?: string;
}

export interface UndoPlan {
  readonly steps: readonly UndoStep[];
  /** Does the steps that are not refused, one after the other; a failure is told as a step that is refused. */
  apply(): Promise<readonly UndoStep[]>;
}

interface Planned {
  readonly step: UndoStep;
  readonly work?: () => Promise<void>;
}

/**
 * Looks at each file, and touches nothing.
 * @param journal path of the journal. @param workspace absolute real path
 * @param after number of the last record whose changes stay
 */
export async function planUndo(
  journal: string,
  records: readonly JournalRecord[],
  workspace: string,
  after: number,
): Promise<UndoPlan> {
  const changes = fileChanges(records, after);
  const planned: Planned[] = [];
  for (const file of changes.files)
    planned.push(await planFile(journal, workspace, file, changes.madeFolders));
  return {
    steps: planned.map(({ step }) => step),
    async apply() {
      const done: UndoStep[] = [];
      for (const { step, work } of planned) done.push(await attempted(step, work));
      return done;
    },
  };
}

async function planFile(
  journal: string,
  workspace: string,
  { path, before, versions }: FileChanges['files'][number],
  madeFolders: readonly string[],
): Promise<Planned> {
  const kept = before === null ? {} : { kept: keptPath(journal, before.digest) };
  const refuse = (reason: string): Planned => ({ step: { path, action: 'refuse', reason, ...kept } });
  let place: Place;
  try {
    place = await placeOf(workspace, path);
  } catch (error) {
    return refuse(messageOf(error));
  }
  const now = place.found?.version ?? null;
  if (now === (before?.digest ?? null)) return { step: { path, action: 'as it was' } };
  // A file that is gone holds nothing that could be lost.
  if (now !== null && !versions.has(now)) return refuse('It has been changed since the run wrote it.');
  if (before === null) {
    const work = async () => {
      await removeFile(place);
      removeEmptied(workspace, path, madeFolders);
    };
    return { step: { path, action: 'remove' }, work };
  }
  const content = keptContent(journal, before.digest);
  if (content === undefined) return refuse('What it was is not kept any more.');
  const work = () => restoreFile(place, content, before.mode);
  return { step: { path, action: 'restore', ...kept }, work };
}

async function attempted(step: UndoStep, work: Planned['work']): Promise<UndoStep> {
  try {
    await work?.();
    return step;
  } catch (error) {
    return { ...step, action: 'refuse', reason: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
