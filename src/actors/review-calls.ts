import type { Verdict } from '../../machines/turn.ts';
import type { RunLog } from '../journal/run-log.ts';
import type { Policy } from '../permissions/policy.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { fingerprint } from './fingerprint.ts';
import { type Gate, mayPass } from './gate.ts';
import type { JobWork } from './job.ts';

/** Gives each call its verdict before anything runs: an unknown tool, a wrong input and a denial are answered, not run. */
export const reviewCalls =
  (toolbox: Toolbox, policy: Policy, log: RunLog, gate: Gate): JobWork<'reviewCalls'> =>
  async ({ input: { turn, calls }, signal, send }) => {
    if (!(await mayPass(gate, { kind: 'review', turn }, signal))) return;
    const verdicts = calls.map(({ id, name }) =>
      review(id, name, log.transcript.openCall(id)?.input, toolbox, policy),
    );
    log.note({ type: 'calls.reviewed', turn, verdicts });
    send({ type: 'calls.reviewed', turn, verdicts });
  };

function review(callId: string, name: string, input: unknown, toolbox: Toolbox, policy: Policy): Verdict {
  const digest = fingerprint(name, input);
  const checked = toolbox.check(name, input);
  if (!checked.ok) return { callId, verdict: 'refuse', reason: checked.reason, fingerprint: digest };
  const { effect } = checked.tool;
  const decided = policy.decide({ tool: name, input, effect });
  const { rule } = decided;
  if (decided.decision === 'deny')
    return { callId, verdict: 'refuse', reason: decided.reason, denied: true, fingerprint: digest };
  const verdict = decided.decision === 'allow' ? 'approve' : 'ask';
  return { callId, verdict, effect, rule, fingerprint: digest };
}
