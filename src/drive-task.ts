import { createActor, type Snapshot } from 'xstate';
import { missingImplementations } from '../machines/check.ts';
import type { LoopContext } from '../machines/context.ts';
import { carry } from '../machines/resume.ts';
import { taskMachine } from '../machines/task.machine.ts';
import { runStatusOf, type TaskContext, type TaskInput } from '../machines/task.ts';
import { Jobs, type TaskWork } from './actors/job.ts';
import type { End } from './conclude.ts';
import { Crash, drive, type Start, type Work } from './drive.ts';
import { watchTask } from './transitions.ts';

/** Where a process takes the task up. */
export interface TaskStart {
  readonly task: { readonly input: TaskInput } | { readonly snapshot: Snapshot<unknown> };
  /** null: the loop has ended, and nothing of it is wanted for now. */
  readonly loop: Start | null;
  /** What was spent before. */
  readonly context: LoopContext;
}

/** A defect, and how far loop and task had come. */
export class TaskCrash extends Error {
  constructor(
    cause: unknown,
    readonly context: LoopContext,
    readonly task: TaskContext,
  ) {
    super('crashed', { cause });
  }
}

/** Starts the task with the loop as its job, and waits until it has ended. Rejects with TaskCrash. */
export function driveTask(work: Work, start: TaskStart): Promise<End> {
  const { means, header, log, works } = work;
  let { context, loop } = start;
  return new Promise<End>((resolve, reject) => {
    const fail = (error: unknown) => {
      const { context: task } = actor.getSnapshot();
      watching.unsubscribe();
      actor.stop();
      const [cause, reached] = error instanceof Crash ? [error.cause, error.context] : [error, context];
      reject(new TaskCrash(cause, reached, task));
    };
    /** The task is where it is: it goes on once the loop does. */
    const suspend = () => {
      const { context: task } = actor.getSnapshot();
      watching.unsubscribe();
      actor.stop();
      resolve({ status: 'suspended', context, task });
    };
    const runLoop: TaskWork<'runLoop'> = async ({ send }) => {
      // The first time where the records say; behind a check that failed, with what was spent.
      const from = loop ?? { input: { limits: header.limits, carried: carry(context, false) } };
      loop = null;
      const { status, context: reached } = await drive(work, from, actor.getSnapshot().context);
      context = reached;
      if (status === 'suspended') return suspend();
      send({ type: 'loop.ended', stop: { status } });
    };
    const jobs = new Jobs(fail);
    const machine = taskMachine.provide({
      actors: {
        runLoop: jobs.define(runLoop),
        startRepair: jobs.define(works.task.startRepair),
        ...(works.task.verifyTask && { verifyTask: jobs.define(works.task.verifyTask) }),
      },
    });
    const missing = missingImplementations(machine);
    if (missing.length > 0) throw new Error(`the task machine lacks ${missing.join(', ')}`);
    const resumedIn =
      'snapshot' in start.task ? (start.task.snapshot as { readonly value?: string }).value : undefined;
    const actor = createActor(machine, {
      // The machine does not look at its input where it starts from a snapshot.
      input: { maxRepairs: null },
      ...start.task,
      ...(means.onEvent && { inspect: watchTask(means.onEvent, () => context.turn, resumedIn) }),
    });
    const watching = actor.subscribe({
      error: fail,
      complete: () => {
        const { value, context: task } = actor.getSnapshot();
        const status = runStatusOf(value as string, task);
        if (status === null) fail(new Error(`the task of a run has no end ${value}`));
        else resolve({ status, context, task, error: log.failure?.message });
      },
    });
    actor.start();
  });
}
