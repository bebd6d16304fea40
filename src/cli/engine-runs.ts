/** Runs of an engine in the form in which runs of this machine are listed. */

import { NO_USAGE } from '../../machines/reply.ts';
import type { RunEntry } from '../journal/catalog.ts';
import type { EngineRun } from '../restate/admin.ts';

export function entryOf(
  { runId, workflow, startedAt, glance, failure, state }: EngineRun,
  url: string,
): RunEntry {
  const named = { runId, file: `${url}/${workflow}/${runId}` };
  if (failure !== null) return { ...named, status: 'damaged', problem: failure };
  if (glance === null)
    return {
      ...named,
      status: 'interrupted',
      startedAt,
      task: '(no worker has taken it up yet)',
      model: '',
      workspace: '',
      turns: 0,
      usage: NO_USAGE,
      costUsd: 0,
    };
  const { status, isWaiting, ...rest } = glance;
  if (status === 'internal_error') return { ...named, status: 'damaged', problem: 'a defect ended it' };
  // The engine tries in vain to give it to a worker, or has yet to begin with that.
  const isHeld = state === 'running' || state === 'suspended';
  const open = isWaiting ? 'suspended' : isHeld ? 'running' : 'interrupted';
  return { ...named, startedAt, ...rest, status: status ?? open };
}
