import { askHook, concerns } from '../hooks/ask-hook.ts';
import type { CallFacts, Hook, ResultFacts } from '../hooks/hook.ts';
import { type Gate, mayPass } from './gate.ts';
import type { CallToGuard } from './guard-calls.ts';
import { type Outcome, withNote } from './outcome.ts';
import type { Redact } from './redact.ts';

export type AfterCall = (call: CallToGuard, outcome: Outcome, signal: AbortSignal) => Promise<Outcome>;

/** Asks the hooks about what a call has come to; what they say stands behind the result, before that is on record. */
export const afterCall =
  (
    hooks: readonly Hook<ResultFacts>[],
    run: Pick<CallFacts, 'runId' | 'workspace'>,
    gate: Gate,
    redact: Redact,
  ): AfterCall =>
  async (call, outcome, signal) => {
    const { turn, tool, callId } = call;
    let { content, isError } = outcome;
    const facts: ResultFacts = { ...run, ...call, result: content, isError };
    for (const hook of hooks.filter((one) => concerns(one, tool))) {
      if (!(await mayPass(gate, { kind: 'hook', turn, tool, callId }, signal))) break;
      const answer = await askHook(hook, facts, signal);
      if (signal.aborted) break;
      if (answer === undefined) continue;
      const { kind, text } = answer;
      const note =
        kind === 'said'
          ? `[The hook ${hook.name} says: ${text}]`
          : `[The call was carried out, but the hook ${hook.name}, which checks such calls afterwards, failed: ${text}. Treat the result as unchecked.]`;
      content = withNote(content, redact(note));
      isError ||= kind === 'failed';
    }
    return { ...outcome, content, isError };
  };
