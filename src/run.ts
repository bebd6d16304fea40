/** Starts a run: the loop machine with real jobs, a journal and a model, taken to its end. */
import { initialContext } from '../machines/context.ts';
import { initialTask } from '../machines/task.ts';
import { checkOptions } from './check-options.ts';
import { headerOf } from './header.ts';
import { fileJournal } from './journal/file.ts';
import { taskOf } from './journal/fold.ts';
import { newRunId, runPath, stateFolder } from './journal/location.ts';
import type { RunStarted } from './journal/record.ts';
import { Transcript } from './journal/transcript.ts';
import type { RunOptions } from './options.ts';
import type { RunOutcome } from './outcome.ts';
import { type Stretch, stretch } from './stretch.ts';
import { builtinTools, type ToolRegistry, toolRegistry } from './tools/registry.ts';

/**
 * Runs a task to its stop status. Expected ends, failures of the model and of the journal among them, are outcomes.
 * @throws OptionsError, a TypeError, for options that cannot work (an empty task, no such folder); nothing was created then.
 * @throws RunCrashed for a defect, with what is known of the run until then.
 */
export async function run(options: RunOptions): Promise<RunOutcome> {
  checkOptions(options);
  const { now = Date.now, random = Math.random } = options;
  const startedAt = now();
  const registry = toolRegistry(options.tools ?? builtinTools());
  const header = headerOf(options, options.runId ?? newRunId(startedAt, random), registry);
  return stretch(options, {
    ...beginning(header, registry, startedAt),
    openJournal: () => options.journal ?? fileJournal(runPath(stateFolder(), header.runId), now),
  });
}

/** The part of whoever begins a run, but for its journal. @param startedAt milliseconds since 1970 */
export const beginning = (
  header: RunStarted,
  registry: ToolRegistry,
  startedAt: number,
): Omit<Stretch, 'openJournal'> => ({
  startedAt,
  header,
  first: header,
  registry,
  transcript: new Transcript(),
  context: initialContext(header),
  task: initialTask(taskOf(header.check)),
  startFrom: () => ({
    task: { input: taskOf(header.check) },
    loop: { input: { limits: header.limits } },
  }),
});
