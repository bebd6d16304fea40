/** What a trial of `pawl crashtest` shows: four things that must never happen, each with the cases of it. */
import { isDeepStrictEqual } from 'node:util';
import { explain } from '../explain.ts';
import { foldRecords } from '../journal/fold.ts';
import type { JournalRecord } from '../journal/record.ts';
import { historyProblems } from '../model/check-history.ts';
import type { ModelRequest } from '../model/client.ts';
import type { LedgerEntry } from './crash-plan.ts';
import type { Trial } from './crash-trial.ts';

/** Sentences, one for each case. */
export interface Verdict {
  readonly effectsDoneTwice: readonly string[];
  readonly lostRecords: readonly string[];
  readonly refusedHistories: readonly string[];
  readonly differingEnds: readonly string[];
}

/** @param undisturbed the same run in one process that was not killed */
export function judgeTrial(trial: Trial, undisturbed: Trial): Verdict {
  return {
    effectsDoneTwice: effectsDoneTwice(trial.ledger),
    lostRecords: lostRecords(trial),
    refusedHistories: refusedHistories(trial.ledger),
    differingEnds: differingEnds(trial, undisturbed),
  };
}

export const problemsOf = (verdict: Verdict): string[] => Object.values(verdict).flat();

function effectsDoneTwice(ledger: readonly LedgerEntry[]): string[] {
  const done = new Map<string, { tool: string; times: number }>();
  for (const entry of ledger)
    if (entry.is === 'effect')
      done.set(entry.callId, { tool: entry.tool, times: (done.get(entry.callId)?.times ?? 0) + 1 });
  return [...done].flatMap(([callId, { tool, times }]) =>
    times > 1 ? [`the call ${tool} (${callId}) was executed ${times} times`] : [],
  );
}

function lostRecords({ survivors, records }: Trial): string[] {
  return survivors.flatMap((record, at) =>
    isDeepStrictEqual(record, records[at])
      ? []
      : [`record ${record.seq}, ${record.type}, is gone or another one`],
  );
}

function refusedHistories(ledger: readonly LedgerEntry[]): string[] {
  const requests: ModelRequest[] = ledger.flatMap((entry) => (entry.is === 'request' ? [entry.request] : []));
  return requests.flatMap((request, at) =>
    historyProblems(request, requests[at - 1]).map((problem) => `request ${at + 1}: ${problem}`),
  );
}

/** Where nobody can tell what came of a call, the model is told so, and its answer may be another one. */
function differingEnds(trial: Trial, undisturbed: Trial): string[] {
  if (trial.problem !== undefined) return [trial.problem];
  const [found, wanted] = [endOf(trial.records), endOf(undisturbed.records)];
  if (found.status !== wanted.status)
    return [
      [`it ended as ${found.status}, undisturbed as ${wanted.status}`, ...found.errors].join('; it says: '),
    ];
  if (trial.isUnclear || found.answer === wanted.answer) return [];
  return [`it answered ${JSON.stringify(found.answer)}, undisturbed ${JSON.stringify(wanted.answer)}`];
}

export interface TrialEnd {
  readonly status: string;
  readonly answer: string;
  /** In the run's own words: what differs may be for want of a reply in the script. */
  readonly errors: readonly string[];
}

export function endOf(records: readonly JournalRecord[]): TrialEnd {
  const { snapshot, status, transcript } = foldRecords(records);
  return {
    status: String(snapshot.value),
    answer: transcript.replies.at(-1)?.text ?? '',
    errors: status === null ? [] : explain(status, snapshot.context, transcript),
  };
}
