import type { Verdict } from '../../machines/turn.ts';
import { askHook, concerns } from '../hooks/ask-hook.ts';
import type { CallFacts, Hook } from '../hooks/hook.ts';
import type { RunLog } from '../journal/run-log.ts';
import { type Gate, mayPass } from './gate.ts';
import type { Redact } from './redact.ts';

/** What stands before a call beside the policy. */
export interface CallGuards {
  readonly run: Pick<CallFacts, 'runId' | 'workspace'>;
  /** How many calls of a tool the run may make. */
  readonly maxCallsByTool: Readonly<Record<string, number>>;
  readonly beforeCall: readonly Hook<CallFacts>[];
  readonly log: RunLog;
  readonly gate: Gate;
  readonly redact: Redact;
}

export type CallToGuard = Pick<CallFacts, 'turn' | 'callId' | 'tool' | 'input'>;

/** For the calls of one reply, in their order: each counts for those behind it. */
export function callGuard(guards: CallGuards) {
  const { run, maxCallsByTool, beforeCall, log, gate, redact } = guards;
  const letThrough = new Map<string, number>();
  return async (verdict: Verdict, call: CallToGuard, signal: AbortSignal): Promise<Verdict> => {
    if (verdict.verdict === 'refuse') return verdict;
    const { tool, turn, callId } = call;
    const { fingerprint } = verdict;
    const inReply = letThrough.get(tool) ?? 0;
    const most = Object.hasOwn(maxCallsByTool, tool) ? maxCallsByTool[tool] : undefined;
    const made = () => log.transcript.finishedCalls.filter(({ name }) => name === tool).length;
    if (most !== undefined && made() + inReply >= most) {
      const rule = `limits: ${tool} ${most}`;
      return { callId, verdict: 'refuse', rule, fingerprint, reason: limitReason(tool, most) };
    }
    for (const hook of beforeCall.filter((one) => concerns(one, tool))) {
      if (!(await mayPass(gate, { kind: 'hook', turn, tool, callId }, signal))) return verdict;
      const answer = await askHook(hook, { ...run, ...call }, signal);
      if (answer === undefined) continue;
      const { kind, text } = answer;
      const reason =
        kind === 'said'
          ? `Denied by the hook ${hook.name}: ${text}`
          : `Denied: the hook ${hook.name}, which decides about such calls, failed (${text}). Do the task without this call, or say what remains to be done.`;
      const rule = `hook ${hook.name}`;
      return { callId, verdict: 'refuse', rule, fingerprint, reason: redact(reason), denied: true };
    }
    letThrough.set(tool, inReply + 1);
    return verdict;
  };
}

const limitReason = (tool: string, most: number): string =>
  `Not executed: this run may make ${most} ${most === 1 ? 'call' : 'calls'} of ${tool}, and has made them. Do the rest without it, or answer with what you have.`;
