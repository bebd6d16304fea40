import type { RunLog } from '../journal/run-log.ts';
import type { Approver } from '../permissions/approver.ts';
import { type Gate, mayPass } from './gate.ts';
import type { JobWork } from './job.ts';
import type { Redact } from './redact.ts';

/** Asks about one call at a time, in call order, each bound to its own answer. */
export const awaitApproval =
  (approver: Approver, redact: Redact, log: RunLog, gate: Gate): JobWork<'awaitApproval'> =>
  async ({ input: { turn, calls }, signal, send }) => {
    for (const call of calls) {
      if (call.progress !== 'waiting') continue;
      const { id: callId, name: tool, effect } = call;
      if (!(await mayPass(gate, { kind: 'approval', turn, tool, callId }, signal))) return;
      const input = log.transcript.openCall(callId)?.input;
      const answer = await approver.ask({ callId, tool, input, effect }, signal);
      if (signal.aborted) return;
      if (answer.granted) {
        log.note({ type: 'approval.granted', turn, callId });
        send({ type: 'approval.granted', turn, callId });
      } else {
        log.note({ type: 'approval.denied', turn, callId, content: redact(answer.reason) });
        send({ type: 'approval.denied', turn, callId });
      }
    }
  };
