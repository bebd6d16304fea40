/**
 * The jobs of a run, each found by its name, as what the engine can keep: steps, timers, words from outside. What they do is
 * done by the functions of src/actors; here is only said what of it is kept, and when.
 */
import type { JobName } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { TaskEvent } from '../../machines/task.ts';
import { executeCalls } from '../actors/execute-tools.ts';
import type { JobWork } from '../actors/job.ts';
import type { RunStarted } from '../journal/record.ts';
import type { RunLog } from '../journal/run-log.ts';
import type { Works } from '../works.ts';
import { awaitWords } from './approvals.ts';
import type { Attempt } from './attempt.ts';
import { callInSteps } from './call-steps.ts';
import { requestsInSteps } from './request-steps.ts';

export interface Engaged {
  readonly attempt: Attempt;
  /** The jobs themselves, for a log. */
  readonly worksFor: (log: RunLog) => Works;
  readonly header: RunStarted;
  /** Calls that ask wait for a word from outside; else the approver of the run answers. */
  readonly isAnsweredOutside: boolean;
}

/** @param log that of the run */
export function durableWorks(engaged: Engaged, log: RunLog): Works {
  const { attempt, worksFor, header, isAnsweredOutside } = engaged;
  const { timeoutMs } = header.limits;
  const own = worksFor(log);
  const asStep =
    <Name extends JobName>(name: Name): JobWork<Name> =>
    async ({ input, signal, send }) => {
      const signals = { stop: signal, leave: signal };
      const said = await attempt.step<LoopEvent>(name, log.transcript, signals, (step) =>
        (worksFor(step.log).loop[name] as JobWork<Name>)({ ...step, input, onStop: () => {} }),
      );
      attempt.tell(said, log, send);
    };
  // One for the whole run: where the loop begins anew, the time goes on.
  const deadline = timeoutMs === null ? undefined : attempt.context.sleep(timeoutMs, 'watchClock');
  return {
    loop: {
      ...requestsInSteps(engaged, log),
      watchClock: async ({ signal, send }) => {
        if (deadline === undefined) return;
        await attempt.waits.for(deadline, signal);
        send({ type: 'time.expired' });
      },
      waitBeforeRetry: async ({ input: { turn, attempt: place, delayMs }, signal, send }) => {
        await attempt.waits.for(attempt.context.sleep(delayMs, 'waitBeforeRetry'), signal);
        send({ type: 'wait.elapsed', turn, attempt: place });
      },
      // What is saved follows from what the engine keeps already; the value that readers see is kept along.
      appendJournal: own.loop.appendJournal,
      reviewCalls: asStep('reviewCalls'),
      awaitApproval: isAnsweredOutside ? awaitWords(engaged, log) : asStep('awaitApproval'),
      executeTools: executeCalls(callInSteps(engaged, log)),
    },
    task: {
      startRepair: own.task.startRepair,
      ...(own.task.verifyTask && {
        verifyTask: async ({ input, signal, send }) => {
          const signals = { stop: signal, leave: signal };
          const said = await attempt.step<TaskEvent>('verifyTask', log.transcript, signals, (step) => {
            const { verifyTask } = worksFor(step.log).task;
            if (verifyTask === undefined) throw new Error('there is no check to run');
            return verifyTask({ ...step, input, onStop: () => {} });
          });
          attempt.tell(said, log, send);
        },
      }),
    },
    calls: own.calls,
  };
}
