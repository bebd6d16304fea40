/** Runs of an engine in the form in which runs of this machine are listed. */

import { NO_USAGE } from '../../machines/reply.ts';
import { RUN_STATES, type RunEntry } from '../journal/catalog.ts';
import type { EngineRun } from '../restate/admin.ts';
import { printableLine } from './printable.ts';

/** No run could be made of what was submitted: it has no record. */
export interface RejectedRun {
  readonly runId: string;
  readonly file: string;
  readonly status: 'rejected';
  readonly startedAt: string;
  /** null: what was submitted is not known. */
  readonly task: string | null;
  readonly problem: string;
}

export type ListedRun = RunEntry | RejectedRun;

export const LISTED_STATES = [...RUN_STATES, 'rejected'] as const satisfies readonly ListedRun['status'][];

/** Why the run has not begun and never will. */
export function rejectionOf({ glance, failure }: EngineRun): string | undefined {
  const isRejected = failure?.code === 400 && (glance === null || glance.status === 'rejected');
  return isRejected ? failure.message : undefined;
}

export const wasRejected = (runId: string, why: string): string =>
  `The run ${runId} was rejected by a worker, and nothing of it has begun: ${printableLine(why)}`;

export function entryOf(run: EngineRun, url: string): ListedRun {
  const { runId, workflow, startedAt, glance, failure, trouble, state } = run;
  const named = { runId, file: `${url}/${workflow}/${runId}` };
  const rejection = rejectionOf(run);
  if (rejection !== undefined)
    return { ...named, status: 'rejected', startedAt, task: glance?.task ?? null, problem: rejection };
  if (failure !== null) return { ...named, status: 'damaged', problem: failure.message };
  // The engine tries again and again.
  const stuck = state === 'backing-off' && trouble !== null && { problem: firstLine(trouble) };
  if (glance === null)
    return {
      ...named,
      ...stuck,
      status: 'interrupted',
      isWaiting: false,
      startedAt,
      task: '(no worker has taken it up yet)',
      model: '',
      workspace: '',
      turns: 0,
      usage: NO_USAGE,
      costUsd: 0,
    };
  const { status, isWaiting, ...rest } = glance;
  // The engine has not told why: that is told by the failure.
  if (status === 'internal_error' || status === 'rejected')
    return { ...named, status: 'damaged', problem: 'a defect ended it' };
  // The engine tries in vain to give it to a worker, or has yet to begin with that.
  const isHeld = state === 'running' || state === 'suspended';
  const open = isWaiting ? 'suspended' : isHeld ? 'running' : 'interrupted';
  return { ...named, ...stuck, startedAt, ...rest, isWaiting, status: status ?? open };
}

/** What the engine says of a failure may have a stack below it. */
export const firstLine = (text: string): string => text.split('\n')[0] ?? '';
