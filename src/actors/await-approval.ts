import type { RunLog } from '../journal/run-log.ts';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../permissions/approver.ts';
import type { Policy } from '../permissions/policy.ts';
import type { Session } from '../permissions/session.ts';
import { type Gate, mayPass } from './gate.ts';
import type { JobWork } from './job.ts';
import type { Redact } from './redact.ts';

export interface ApprovalParts {
  readonly approver: Approver;
  /** A question that an earlier process has left open is put to the rules of this one first. */
  readonly policy: Policy;
  readonly session: Session;
  readonly run: Pick<ApprovalRequest, 'runId' | 'workspace'>;
  readonly redact: Redact;
  readonly log: RunLog;
  readonly gate: Gate;
}

/**
 * Asks about one call at a time, in call order, each bound to its own answer. Where some are answered later, all that was
 * decided until then is on the disk before the run is suspended.
 */
export const awaitApproval =
  ({ approver, policy, session, run, redact, log, gate }: ApprovalParts): JobWork<'awaitApproval'> =>
  async ({ input: { turn, calls }, signal, send }) => {
    const fileOf = (callId: string) => {
      const file = log.transcript.askedAbout(callId);
      return file && { file };
    };
    let isPostponed = false;
    const waiting = calls.flatMap((call) => (call.progress === 'waiting' ? [call] : []));
    for (const [at, call] of waiting.entries()) {
      const { id: callId, name: tool, effect, fingerprint } = call;
      if (!(await mayPass(gate, { kind: 'approval', turn, tool, callId }, signal))) return;
      const input = log.transcript.openCall(callId)?.input;
      const ruled = await policy.decide({ tool, input, effect, workspace: run.workspace });
      if (signal.aborted) return;
      const answer: ApprovalAnswer =
        ruled.decision === 'allow'
          ? { granted: true }
          : ruled.decision === 'deny'
            ? { granted: false, reason: ruled.reason }
            : await approver.ask(
                {
                  ...run,
                  callId,
                  tool,
                  input,
                  effect,
                  fingerprint,
                  rule: ruled.rule,
                  inEveryMode: ruled.inEveryMode === true,
                  ...fileOf(callId),
                  behind: waiting.length - at - 1,
                },
                signal,
              );
      const rule = ruled.decision === 'ask' ? {} : { rule: ruled.rule };
      if (signal.aborted) return;
      if (answer === 'stop') return send({ type: 'run.cancelled', signal: 'SIGINT', atQuestion: true });
      if (answer === 'later') {
        isPostponed = true;
        continue;
      }
      const decided = { turn, callId, fingerprint };
      if (answer.granted) {
        if (answer.always) session.allow({ tool, input });
        log.note({ type: 'approval.granted', ...decided, ...rule });
        send({ type: 'approval.granted', ...decided });
      } else {
        log.note({ type: 'approval.denied', ...decided, ...rule, content: redact(answer.reason) });
        send({ type: 'approval.denied', ...decided });
      }
    }
    if (!isPostponed) return;
    await log.sync();
    send({ type: 'approvals.postponed', turn });
  };
