/** Where a recorded run would have taken another way under other limits, found without asking a model. */
import type { Limits } from '../../machines/limits.ts';
import { stateName } from '../../machines/state-name.ts';
import type { Stop } from '../../machines/status.ts';
import { Fold } from './fold.ts';
import type { JournalRecord } from './record.ts';

/** Limits that change nothing in the requests until they are reached, so that the replies stay what they were. */
export type OtherLimits = Partial<Pick<Limits, 'maxTurns' | 'tokenBudget' | 'maxToolCalls' | 'summary'>>;

/** What a run was about to do before a record. */
interface Standing {
  readonly state: string;
  readonly stop: Stop['status'] | null;
  /** Whether the model is asked once more after the stop. */
  readonly summary: boolean;
}

export type WhatIf =
  | { readonly outcome: 'same' }
  | {
      /** Both ways stop where `other` and `recorded` each have a stop: for another reason, or with another end. */
      readonly outcome: 'stops' | 'goes_on';
      /** Number of the first record that would not be there, or would be another one. */
      readonly seq: number;
      readonly recorded: Standing;
      readonly other: Standing;
      /** The run under the other limits, as far as the records carry it. */
      readonly fold: Fold;
    };

/**
 * Folds the records twice, side by side: under their own limits and under others, which replace those of the start and of
 * each time the run was taken up again. @param records the first one must be run.started
 */
export function whatIf(records: readonly JournalRecord[], limits: OtherLimits): WhatIf {
  const [started, ...rest] = records;
  if (started?.type !== 'run.started') throw new Error('the records do not begin with run.started');
  const [recorded, other] = [new Fold(started), new Fold(under(started, limits))];
  for (let index = 0; index <= rest.length; index += 1) {
    const next = rest[index];
    if (next !== undefined) for (const fold of [recorded, other]) fold.expect(next);
    const [before, instead] = [standingOf(recorded), standingOf(other)];
    if (isOther(before, instead)) {
      const outcome = instead.stop === null ? 'goes_on' : 'stops';
      return { outcome, seq: index + 1, recorded: before, other: instead, fold: other };
    }
    const record = rest[index];
    if (record === undefined) break;
    recorded.add(record, rest[index + 1]);
    other.add(under(record, limits), rest[index + 1]);
  }
  return { outcome: 'same' };
}

const under = <Kind extends JournalRecord>(record: Kind, limits: OtherLimits): Kind =>
  'limits' in record ? { ...record, limits: { ...record.limits, ...limits } } : record;

function standingOf({ snapshot }: Fold): Standing {
  const { stop, pending } = snapshot.context;
  return {
    state: stateName(snapshot.value),
    stop: stop?.status ?? null,
    summary: pending?.type === 'run.closing' && pending.notice !== null,
  };
}

const isOther = (a: Standing, b: Standing): boolean =>
  a.state !== b.state || a.stop !== b.stop || a.summary !== b.summary;
