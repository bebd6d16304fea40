/** `pawl undo`: gives files back what they were before a run changed them. */
import fs from 'node:fs/promises';
import { reopenJournal } from '../../journal/file.ts';
import { JournalCorrupt, JournalError } from '../../journal/journal.ts';
import type { JournalRecord } from '../../journal/record.ts';
import { planUndo, type UndoStep } from '../../undo.ts';
import { INTERNAL_EXIT_CODE } from '../defects.ts';
import { onceEnded, refuseCopy } from '../engine-copy.ts';
import { counted } from '../format.ts';
import { printableLine, printableSentence } from '../printable.ts';
import { DAMAGED_EXIT_CODE, type LastFlag, type ReadRun, readRun, seqOf, tellDamage } from '../read-run.ts';
import { tell, tellError } from '../tell.ts';
import { typed } from '../typed.ts';
import { UsageError } from '../usage-error.ts';

export interface UndoFlags extends LastFlag {
  /** Number of the last record whose changes stay; else none of the run's own stays. */
  readonly to?: string;
  readonly dryRun?: true;
  readonly skipChanged?: true;
  readonly json?: true;
}

interface Undone {
  readonly steps: readonly UndoStep[];
  readonly isDone: boolean;
}

/**
 * All files or none, unless it is told to leave out what has changed.
 * @returns 1 where a file was not restored; 50 where the journal is damaged, or another process has the run
 * @throws UsageError if there is no such run or no such record
 */
export async function undoCommand(name: string | undefined, flags: UndoFlags): Promise<number> {
  const run = await readRun(name, flags);
  if (run.damage !== null) return tellDamage(run);
  refuseCopy(run.records, run.name, onceEnded(run.name));
  const after = lastThatStays(run, flags.to);
  const workspace = await workspaceOf(run);
  const undo = async (records: readonly JournalRecord[]): Promise<Undone> => {
    const plan = await planUndo(run.file, records, workspace, after);
    const isDone = !flags.dryRun && (flags.skipChanged || !plan.steps.some(isRefused));
    return { steps: isDone ? await plan.apply() : plan.steps, isDone };
  };
  const undone = flags.dryRun ? await undo(run.records) : await whileHeld(run.file, undo);
  if (undone === undefined) return DAMAGED_EXIT_CODE;
  if (flags.json) process.stdout.write(`${JSON.stringify(documentOf(run, workspace, undone), null, 2)}\n`);
  else show(undone);
  return conclude(undone, flags);
}

const isRefused = ({ action }: UndoStep): boolean => action === 'refuse';

function lastThatStays(run: ReadRun, to: string | undefined): number {
  const [header] = run.records;
  const origin = header?.type === 'run.started' ? header.origin : undefined;
  const first = origin?.seq ?? 0;
  const seq = to === undefined ? first : seqOf('--to', to, run);
  if (seq < first)
    throw new UsageError(
      `The records up to ${first} are those of the run ${origin?.runId}, and so are their changes. Undo them there: ${typed('undo')} ${origin?.runId} --to ${seq}`,
    );
  return seq;
}

/** Where the run has worked last. */
async function workspaceOf({ records }: ReadRun): Promise<string> {
  const workspace = records.reduce<string>(
    (last, record) => ('workspace' in record ? record.workspace : last),
    '',
  );
  return fs.realpath(workspace).catch(() => {
    throw new UsageError(`The workspace ${workspace} of the run is not there. Put it back first.`);
  });
}

/** Nobody can go on with the run meanwhile. @returns undefined: another process has it, and that is told */
async function whileHeld(
  file: string,
  undo: (records: readonly JournalRecord[]) => Promise<Undone>,
): Promise<Undone | undefined> {
  try {
    const { journal, records } = await reopenJournal(file);
    try {
      return await undo(records);
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof JournalError || error instanceof JournalCorrupt)) throw error;
    tellError(printableSentence(error.message));
    return undefined;
  }
}

const WORDS: Readonly<Record<UndoStep['action'], readonly [done: string, planned: string]>> = {
  restore: ['restored', 'would restore'],
  remove: ['removed', 'would remove'],
  'as it was': ['as it was', 'as it was'],
  refuse: ['not restored', 'would not restore'],
};

function show({ steps, isDone }: Undone): void {
  const lines = steps.map(({ path, action, reason, kept }) => {
    const why =
      reason === undefined ? '' : `: ${reason}${kept === undefined ? '' : ` What it was is in ${kept}`}`;
    return `${WORDS[action][isDone ? 0 : 1]} ${printableLine(path + why)}\n`;
  });
  process.stdout.write(lines.join(''));
}

function conclude({ steps, isDone }: Undone, { dryRun }: UndoFlags): number {
  const refused = steps.filter(isRefused).length;
  if (steps.length === 0)
    tell('The run has changed no file with its file tools. What its commands have changed is not known.');
  if (refused > 0 && !isDone && !dryRun)
    tellError(
      `Nothing was restored, because ${counted(refused, 'file')} cannot be. With --skip-changed the others are.`,
    );
  if (refused > 0 && isDone)
    tell(`${inNumbers(steps)} What is not restored is as it was found, for the reason that is given.`);
  return refused > 0 ? INTERNAL_EXIT_CODE : 0;
}

/** "Of 5 files: 2 restored, 1 removed, 1 as it was, 1 not restored." */
function inNumbers(steps: readonly UndoStep[]): string {
  const parts = (Object.keys(WORDS) as UndoStep['action'][]).flatMap((action) => {
    const count = steps.filter((step) => step.action === action).length;
    return count === 0 ? [] : [`${count} ${WORDS[action][0]}`];
  });
  return `Of ${counted(steps.length, 'file')}: ${parts.join(', ')}.`;
}

const documentOf = (run: ReadRun, workspace: string, { isDone, steps }: Undone) => ({
  run: run.name,
  workspace,
  is_done: isDone,
  files: steps.map(({ path, action, reason = null, kept = null }) => ({ path, action, reason, kept })),
  journal: run.file,
});
