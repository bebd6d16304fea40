import type { LoopEvent } from '../../machines/events.ts';
import type { JobWork } from '../actors/job.ts';
import type { RunLog } from '../journal/run-log.ts';
import { denialOf } from '../permissions/denial.ts';
import type { Engaged } from './jobs.ts';
import { approvalOf, type CallDecision } from './protocol.ts';

/**
 * Waits for a word on each call that asks, from whoever gives it, however long that takes and in whatever order. The run is
 * given up meanwhile: the engine takes it up again, on any worker, when a word has come.
 */
export const awaitWords =
  ({ attempt, worksFor }: Engaged, log: RunLog): JobWork<'awaitApproval'> =>
  async ({ input: { turn, calls }, signal, send }) => {
    const signals = { stop: signal, leave: signal };
    await Promise.all(
      calls.map(async (call) => {
        if (call.progress !== 'waiting') return;
        const { id: callId, fingerprint } = call;
        const decided = { turn, callId, fingerprint };
        const word = attempt.context.promise<CallDecision>(approvalOf(decided)).get();
        const { granted, reason } = await attempt.waits.for(word, signal);
        const said = await attempt.step<LoopEvent>('awaitApproval', log.transcript, signals, async (step) => {
          const { redact } = worksFor(step.log).calls;
          if (granted) step.log.note({ type: 'approval.granted', ...decided });
          else
            step.log.note({
              type: 'approval.denied',
              ...decided,
              content: redact(denialOf(reason).toWellFormed()),
            });
          step.send({ type: granted ? 'approval.granted' : 'approval.denied', ...decided });
        });
        attempt.tell(said, log, send);
      }),
    );
  };
