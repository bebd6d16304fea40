import type { Verdict } from '../../machines/turn.ts';
import type { Policy } from '../permissions/policy.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { fingerprint } from './fingerprint.ts';
import { mayPass } from './gate.ts';
import { type CallGuards, callGuard } from './guard-calls.ts';
import type { JobWork } from './job.ts';

interface Judges extends CallGuards {
  readonly toolbox: Toolbox;
  readonly policy: Policy;
}

/** Gives each call its verdict before anything runs: an unknown tool, a wrong input and a denial are answered, not run. */
export const reviewCalls =
  (judges: Judges): JobWork<'reviewCalls'> =>
  async ({ input: { turn, calls }, signal, send }) => {
    const { log, gate } = judges;
    if (!(await mayPass(gate, { kind: 'review', turn }, signal))) return;
    const guard = callGuard(judges);
    const verdicts: Verdict[] = [];
    for (const { id: callId, name: tool } of calls) {
      const input = log.transcript.openCall(callId)?.input;
      const verdict = await review(callId, tool, input, judges);
      verdicts.push(await guard(verdict, { turn, callId, tool, input }, signal));
    }
    if (signal.aborted) return;
    log.note({ type: 'calls.reviewed', turn, verdicts });
    send({ type: 'calls.reviewed', turn, verdicts });
  };

async function review(callId: string, name: string, input: unknown, judges: Judges): Promise<Verdict> {
  const digest = fingerprint(name, input);
  const checked = judges.toolbox.check(name, input);
  if (!checked.ok) return { callId, verdict: 'refuse', reason: checked.reason, fingerprint: digest };
  const { effect } = checked.tool;
  const { workspace } = judges.run;
  const decided = await judges.policy.decide({ tool: name, input, effect, workspace });
  const { rule } = decided;
  if (decided.decision === 'deny')
    return {
      callId,
      verdict: 'refuse',
      reason: decided.reason,
      rule,
      ...(!decided.isImpossible && { denied: true }),
      fingerprint: digest,
    };
  if (decided.decision === 'allow') return { callId, verdict: 'approve', effect, rule, fingerprint: digest };
  const file = await checked.tool.fileOf?.(checked.input, workspace);
  return { callId, verdict: 'ask', effect, rule, fingerprint: digest, ...(file && { file }) };
}
