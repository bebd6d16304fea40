/**
 * A run as a workflow of Restate. There is no second loop: `stretch` drives the machines here as it does in one process, and
 * they decide. What is other is who does the jobs that their states invoke (`jobs.ts`): each is found by its name, and becomes
 * a step that the engine keeps the findings of, a timer, or a promise.
 *
 *     handler ─▶ stretch ─▶ machines ──job by name──▶ Attempt.step ─▶ the job of src/actors, with a log that collects
 *                   ▲                                      │
 *                   └── records, then events, in order ◀── Waits: one piece of news at a time
 *
 * How a run survives whoever has it:
 *  1. The engine keeps what each step has said: records and events of pawl. Another attempt goes through the run from its
 *     beginning, with the findings of before in place of the jobs, and comes to the same state: the machines are pure, news
 *     come in the order of the engine's journal (`Waits`), and the clock of the run is the time of the last news.
 *  2. What the machine itself wants saved (the reply, the results) follows from that, so it is as lasting as they are.
 *     `appendJournal` is therefore no step of its own. Every record is also set as a value of its own in the workflow's
 *     state, for readers: `pawl pull`, `runs`, `inspect`. No value grows, so nothing grows with the square of the turns.
 *  3. A call with effects is two steps (`call-steps.ts`): the intent, then the effect, by the very attempt that made the
 *     intent. An attempt that finds the intent and no outcome answers "started, outcome unknown".
 *     A request that got lost with its attempt is made again; a budget counts what the lost one may have taken
 *     (`request-steps.ts`).
 *  4. A worker that was only slow learns that its attempt is over before it begins a step (`Attempt`), its running tools are
 *     stopped by the same signal, and what it finds out is heard by nobody.
 *  5. What is larger than a megabyte is a file (`blobs.ts`): the engine gets its name.
 *
 * Hooks that are told of the end are a step, too: told once, or again where it is not known whether they were.
 *
 * A cancel is a promise that is waited for beside the job, so it reaches a job at work. It also reaches a run whose folder is gone:
 * an attempt without the folder goes through what was done, and begins no step before the cancel has come (`obstacle`). A defect is terminal for the run;
 * whatever is of the moment (a lost connection, a full disk, no free slot) ends the attempt, and the engine tries again.
 * The workflow's name carries the version of the machines: a run is never gone through by other ones than it began with.
 */
import { TerminalError, type WorkflowContext } from '@restatedev/restate-sdk/node';
import { memoryJournal } from '../journal/memory.ts';
import type { RunStarted } from '../journal/record.ts';
import type { Means } from '../options.ts';
import { RunCrashed } from '../outcome.ts';
import { beginning } from '../run.ts';
import { stretch } from '../stretch.ts';
import { tellEnd } from '../tell-end.ts';
import { builtinTools, toolRegistry } from '../tools/registry.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { worksOf } from '../works.ts';
import { Attempt } from './attempt.ts';
import { BlobError } from './blobs.ts';
import { durableWorks } from './jobs.ts';
import { CANCEL, type Cancel, type Outcome, type Submission } from './protocol.ts';
import type { Shop } from './shop.ts';
import { View } from './view.ts';

interface Started {
  readonly at: number;
  readonly header: RunStarted;
}

export async function runWorkflow(
  context: WorkflowContext,
  submission: Submission,
  shop: Shop,
): Promise<Outcome> {
  const view = new View((key, text) => attempt.set(key, text));
  const { slots, blobs, silenceMs } = shop;
  const attempt = new Attempt(context, slots, blobs, silenceMs, () => view.show());
  const { key: runId } = context;
  const started = attempt.keep('startRun', async (): Promise<Started> => {
    const header = await shop.begin(runId, submission);
    return { at: Date.now(), header };
  });
  const begun = await started.then(undefined, (error: unknown) => {
    if (error instanceof TerminalError)
      view.showNothing(submission, error.code === 400 ? 'rejected' : 'internal_error');
    throw error;
  });
  const { at, header } = attempt.unpacked<Started>(begun);
  attempt.now = at;
  const { options, clientFor, isAnsweredOutside, obstacle } = await shop.equip(submission, header);
  attempt.obstacle = obstacle;
  const journal = memoryJournal(() => attempt.now);
  const cancelling = new AbortController();
  const means: Means = {
    ...options,
    client: clientFor(() => journal.records),
    signal: cancelling.signal,
    onEvent: (event) => {
      if (event.type === 'record') view.add(event.record);
      options.onEvent?.(event);
    },
    inspect: (inspected) => view.look(inspected),
  };
  const registry = toolRegistry(options.tools ?? builtinTools());
  const worksFor = worksOf(means, header, new Toolbox(registry), () => Date.now() - at);
  attempt.waits.for(context.promise<Cancel>(CANCEL).get()).then(
    ({ signal }) => {
      // No tool is begun any more.
      attempt.obstacle = undefined;
      cancelling.abort(signal);
    },
    () => {},
  );
  if (obstacle === undefined) shop.tell(`run ${runId}: taken up`);
  try {
    const running = stretch(means, {
      ...beginning(header, registry, at),
      openJournal: () => journal,
      works: (log) => durableWorks({ attempt, worksFor, header, isAnsweredOutside }, log),
      // Also where there are no hooks: another worker may have some, and must find the same steps.
      tellEnd: async (outcome, turn) => {
        const told = attempt.keep(
          'afterRun',
          async () => (await tellEnd(means, header, outcome, turn)).errors,
        );
        return { ...outcome, errors: attempt.unpacked<string[]>(await attempt.waits.for(told)) };
      },
    });
    const { messages: _, ...outcome } = await attempt.waits.until(running);
    view.show(outcome.status);
    shop.tell(`run ${runId}: ${outcome.status}`);
    return outcome;
  } catch (error) {
    const defect = error instanceof RunCrashed ? error.cause : error;
    // Another attempt may have the file.
    if (defect instanceof BlobError) throw defect;
    view.show('internal_error');
    const message = defect instanceof Error ? defect.message : String(defect);
    shop.tell(`run ${runId}: internal error: ${message}`);
    throw new TerminalError(message);
  }
}
