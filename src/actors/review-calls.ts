import type { Verdict } from '../../machines/turn.ts';
import type { RunLog } from '../journal/run-log.ts';
import type { Policy } from '../permissions/policy.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { fingerprint } from './fingerprint.ts';
import { type Gate, mayPass } from './gate.ts';
import type { JobWork } from './job.ts';

interface Judges {
  readonly toolbox: Toolbox;
  readonly policy: Policy;
  /** Absolute real path. */
  readonly workspace: string;
}

/** Gives each call its verdict before anything runs: an unknown tool, a wrong input and a denial are answered, not run. */
export const reviewCalls =
  ({ toolbox, policy, workspace }: Judges, log: RunLog, gate: Gate): JobWork<'reviewCalls'> =>
  async ({ input: { turn, calls }, signal, send }) => {
    if (!(await mayPass(gate, { kind: 'review', turn }, signal))) return;
    const verdicts = await Promise.all(
      calls.map(({ id, name }) =>
        review(id, name, log.transcript.openCall(id)?.input, { toolbox, policy, workspace }),
      ),
    );
    if (signal.aborted) return;
    log.note({ type: 'calls.reviewed', turn, verdicts });
    send({ type: 'calls.reviewed', turn, verdicts });
  };

async function review(callId: string, name: string, input: unknown, judges: Judges): Promise<Verdict> {
  const digest = fingerprint(name, input);
  const checked = judges.toolbox.check(name, input);
  if (!checked.ok) return { callId, verdict: 'refuse', reason: checked.reason, fingerprint: digest };
  const { effect } = checked.tool;
  const { workspace } = judges;
  const decided = await judges.policy.decide({ tool: name, input, effect, workspace });
  const { rule } = decided;
  if (decided.decision === 'deny')
    return { callId, verdict: 'refuse', reason: decided.reason, rule, denied: true, fingerprint: digest };
  const verdict = decided.decision === 'allow' ? 'approve' : 'ask';
  return { callId, verdict, effect, rule, fingerprint: digest };
}
