/** Goes on with a run in another process, whatever the run ended with: a crash, a cancel, a limit, an answer. */
import type { Limits } from '../machines/limits.ts';
import type { Redact } from './actors/redact.ts';
import { checkLimits } from './check-limits.ts';
import { checkPrices, checkResumeOptions } from './check-options.ts';
import { OptionsError } from './checks/options-error.ts';
import { differences } from './differences.ts';
import { checkOf, workspaceOf } from './header.ts';
import { reopenJournal } from './journal/file.ts';
import { type Fold, foldRecords } from './journal/fold.ts';
import type { OpenedJournal } from './journal/journal.ts';
import { runPath, stateFolder } from './journal/location.ts';
import { type Check, RECORD_VERSION, type RunResumed } from './journal/record.ts';
import type { ResumeOptions } from './options.ts';
import type { RunOutcome } from './outcome.ts';
import { redactorOf } from './redactor-of.ts';
import { CannotResume, instructionFor } from './resumption.ts';
import { stretch } from './stretch.ts';
import { builtinTools, toolRegistry } from './tools/registry.ts';
import { VERSION } from './version.ts';

/**
 * State is the fold of the machine over the records; the job of that state begins. What differs from the record is told
 * by events of the type `notice`, before the first request.
 * @param run id of a run in the state folder, or a journal that was opened again; it is closed in every case
 * @throws CannotResume where there is nothing to go on with; nothing was written then
 * @throws JournalHeld where another process has the run; JournalCorrupt, JournalError where it cannot be read
 * @throws RunCrashed for a defect
 */
export async function resume(run: string | OpenedJournal, options: ResumeOptions): Promise<RunOutcome> {
  // Whatever they are: they are looked at where the journal is closed behind it.
  const { now = Date.now, onEvent = () => {} } = options ?? {};
  const startedAt = now();
  const opened = typeof run === 'string' ? await reopenJournal(runPath(stateFolder(), run), now) : run;
  let fold: Fold;
  let first: RunResumed;
  let registry: ReturnType<typeof toolRegistry>;
  try {
    checkResumeOptions(options);
    registry = toolRegistry(options.tools ?? builtinTools());
    fold = foldRecords(opened.records, opened.kept?.pawl === VERSION ? opened.kept : undefined);
    first = resumptionOf(fold, options);
    for (const text of differences(opened, fold, first, registry)) onEvent({ type: 'notice', text });
  } catch (error) {
    await opened.journal.close();
    throw error;
  }
  const { transcript } = fold;
  const { context } = fold.snapshot;
  const { limits, workspace, check } = first;
  return stretch(options, {
    startedAt,
    header: { ...fold.header, limits, workspace, ...(check && { check }) },
    first,
    registry,
    transcript,
    context,
    task: fold.task.context,
    openJournal: () => opened.journal,
    startFrom: () => {
      fold.takeUp(first);
      return {
        task: { snapshot: fold.persistedTask },
        loop: fold.snapshot.status === 'done' ? null : { snapshot: fold.persisted },
      };
    },
  });
}

function resumptionOf(fold: Fold, options: ResumeOptions): RunResumed {
  const { header } = fold;
  const limits = limitsOf(header.limits, options.limits);
  const redact = redactorOf(options);
  checkPrices(limits, [header.model, header.fallbackModel], options.prices);
  const check = mergedCheck(header.check, options.check, redact);
  const instruction = instructionFor(fold, limits, options.instruction, {
    isSet: check !== undefined || header.check !== undefined,
    isNew: options.check !== undefined,
  });
  return {
    type: 'run.resumed',
    version: RECORD_VERSION,
    pawl: VERSION,
    workspace: options.workspace === undefined ? recorded(header.workspace) : workspaceOf(options.workspace),
    limits,
    ...(check && { check }),
    ...((check ?? header.check) && { repairs: fold.task.context.repairs }),
    instruction: instruction === null ? null : redact(instruction.toWellFormed()),
    ...(options.settings && { settings: options.settings }),
  };
}

/** undefined: nothing is said of it now. @throws OptionsError where there is none that figures could be given for */
function mergedCheck(recorded: Check | undefined, given: ResumeOptions['check'], redact: Redact) {
  if (given === undefined) return undefined;
  const { command = recorded?.command } = given;
  if (command === undefined)
    throw new OptionsError(
      'The run has no check: give it one with a command in the option check (--verify "npm test").',
    );
  return checkOf({ ...recorded, ...given, command }, redact);
}

function limitsOf(recorded: Limits, given: ResumeOptions['limits'] = {}): Limits {
  const changes = typeof given === 'function' ? given(recorded) : given;
  checkLimits(changes);
  return { ...recorded, ...changes };
}

/** The tools would work somewhere else than the model believes. */
function recorded(workspace: string): string {
  try {
    return workspaceOf(workspace);
  } catch (error) {
    throw new CannotResume(
      `The workspace ${workspace} of the run is not there any more. Say where it is now in the option workspace (--cd FOLDER).`,
      { cause: error },
    );
  }
}
