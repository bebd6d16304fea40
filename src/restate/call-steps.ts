import type { LoopEvent } from '../../machines/events.ts';
import type { RunOne } from '../actors/execute-tools.ts';
import type { OneCall } from '../actors/record-outcome.ts';
import { type BegunCall, beginCall, carryOut, runCall } from '../actors/run-call.ts';
import type { RunLog } from '../journal/run-log.ts';
import type { Engaged } from './jobs.ts';

/**
 * A call as what the engine keeps of it. One that only reads is one step, which may be repeated. Any other is two: its intent,
 * then the effect. The effect is carried out by the attempt that has made the intent and by no other one: an attempt that finds
 * the intent as one of before does not know how far it was carried out, and does what a resumed run does with such a call.
 */
export const callInSteps =
  ({ attempt, worksFor }: Engaged, log: RunLog): RunOne =>
  async (one, stopped, send) => {
    const { id, effect } = one.call;
    const step = async (name: string, work: (...scope: StepOfCall) => Promise<unknown>) => {
      const said = await attempt.step<LoopEvent>(name, log.transcript, { stop: stopped }, async (scope) => {
        await work(worksFor(scope.log).calls, scope.signal, scope.send);
      });
      attempt.tell(said, log, send);
      return said;
    };
    if (effect === 'read') {
      await step(`executeTools ${id}`, (parts, signal, say) => runCall(parts, one, signal, say));
      return;
    }
    let begun: BegunCall | undefined;
    const found = await step(`executeTools ${id} intent`, async (parts, signal, say) => {
      begun = await beginCall(parts, one, signal, say);
    });
    if (!found.some((said) => 'event' in said && said.event.type === 'tool.started')) return;
    await step(`executeTools ${id}`, (parts, signal, say) => {
      const own = begun;
      begun = undefined;
      return own === undefined
        ? runCall(parts, startedBefore(one), signal, say)
        : carryOut(parts, one, own, signal, say);
    });
  };

type StepOfCall =
  Parameters<typeof runCall> extends [infer Parts, unknown, ...infer Rest] ? [Parts, ...Rest] : never;

const startedBefore = (one: OneCall): OneCall => ({ ...one, call: { ...one.call, progress: 'started' } });
