import { openGate } from './actors/gate.ts';
import { askHook } from './hooks/ask-hook.ts';
import type { EndFacts } from './hooks/hook.ts';
import type { RunStarted } from './journal/record.ts';
import type { Means } from './options.ts';
import type { RunOutcome } from './outcome.ts';

/**
 * Tells the hooks how the run has ended. This comes before the record of the end, so that an end on record is one that they
 * know of. What they say, or that they failed, is one of the errors; nothing else of the outcome is theirs to change.
 * @param turn the last one
 */
export async function tellEnd(
  { hooks, gate = openGate, signal }: Means,
  { runId, workspace, task }: RunStarted,
  outcome: RunOutcome,
  turn: number,
): Promise<RunOutcome> {
  const { status, exitCode, result, counters } = outcome;
  const errors = [...outcome.errors];
  // It has ended, so that neither a cancel nor its time can stop what is told of it; a hook has a time of its own.
  const { signal: unending } = new AbortController();
  for (const hook of hooks?.afterRun ?? []) {
    if (hook.statuses && !hook.statuses.includes(status)) continue;
    await gate.cross({ kind: 'hook', turn }, signal ?? unending);
    const facts: EndFacts = {
      ...{ runId, workspace, task, status, exitCode, result },
      turns: counters.turns,
      errors: outcome.errors,
    };
    const answer = await askHook(hook, facts, unending);
    if (answer)
      errors.push(`The hook ${hook.name} ${answer.kind === 'said' ? 'says' : 'failed'}: ${answer.text}`);
  }
  return { ...outcome, errors };
}
