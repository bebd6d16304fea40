import type { LoopEvent } from '../../machines/events.ts';
import { RECORD_VERSION, type RunResumed, type RunStarted } from '../journal/record.ts';
import type { RunLog } from '../journal/run-log.ts';
import { VERSION } from '../version.ts';
import type { Works } from '../works.ts';
import type { Engaged } from './jobs.ts';

/**
 * Requests to the model as steps. One that got lost with its attempt is made again, and the lost one may have been charged for.
 * Where there is a budget, a request is measured before, as a step of its own; so an attempt that finds the measure as one of
 * before knows that a request may have been begun behind it. It says what a process says that takes a run up: the machine then
 * counts all that the lost request may have taken, and looks again at what is left.
 */
export function requestsInSteps(
  { attempt, worksFor, header }: Engaged,
  log: RunLog,
): Pick<Works['loop'], 'measurePrompt' | 'askModel'> {
  /** The next request was measured; and it was so by this attempt. */
  let [isMeasured, isOurs] = [false, false];
  return {
    measurePrompt: async ({ input, signal, send }) => {
      const signals = { stop: signal, leave: signal };
      const said = await attempt.step<LoopEvent>('measurePrompt', log.transcript, signals, async (step) => {
        await worksFor(step.log).loop.measurePrompt({ ...step, input, onStop: () => {} });
        isOurs = true;
      });
      isMeasured = true;
      attempt.tell(said, log, send);
    },
    askModel: async ({ input, signal, send }) => {
      const signals = { stop: signal, leave: signal };
      const mustBeOurs = isMeasured;
      isMeasured = false;
      const said = await attempt.step<LoopEvent>('askModel', log.transcript, signals, async (step) => {
        const mayAsk = isOurs || !mustBeOurs;
        isOurs = false;
        if (mayAsk) return worksFor(step.log).loop.askModel({ ...step, input, onStop: () => {} });
        const resumed = resumedFrom(header);
        step.log.note(resumed);
        step.send({ type: 'run.resumed', limits: resumed.limits });
      });
      attempt.tell(said, log, send);
    },
  };
}

const resumedFrom = ({ workspace, limits }: RunStarted): RunResumed => ({
  type: 'run.resumed',
  version: RECORD_VERSION,
  pawl: VERSION,
  workspace,
  limits,
  instruction: null,
});
