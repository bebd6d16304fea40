import type { CorruptReason } from './journal.ts';
import { decodeLine, GENESIS } from './line.ts';
import { type JournalRecord, RECORD_VERSION } from './record.ts';
import { upgraded } from './upgrade.ts';

/** Why a line is no next record. `more` stands behind the reason's words. */
export interface Flaw {
  readonly reason: CorruptReason;
  readonly more: string;
}

/** Proves a journal line by line: each must follow from the one before it, and say what this pawl knows. */
export class Proof {
  /** How many lines were good. */
  count = 0;
  /** Of the last good line. */
  sum = GENESIS;
  #isOld = false;
  #reviewed: ReadonlyMap<string, string> = new Map();

  /** A flaw changes nothing: another line may be tried in its place. */
  take(line: Buffer): { readonly record: JournalRecord } | Flaw {
    const decoded = decodeLine(line, this.sum, this.count);
    if ('reason' in decoded) return { ...decoded, more: '' };
    const { record, sum } = decoded;
    const flaw = flawOf(record, this.count) ?? this.#foreignDecision(record);
    if (flaw) return flaw;
    if (record.type === 'calls.reviewed')
      this.#reviewed = new Map(record.verdicts.map(({ callId, fingerprint }) => [callId, fingerprint]));
    if (this.count === 0) this.#isOld = record.type === 'run.started' && record.version < 2;
    this.count += 1;
    this.sum = sum;
    return { record: this.#isOld ? upgraded(record) : record };
  }

  /** A person's decision is bound to the call by its fingerprint, whoever wrote the record. */
  #foreignDecision(record: JournalRecord): Flaw | undefined {
    if (record.type !== 'approval.granted' && record.type !== 'approval.denied') return undefined;
    const { callId, fingerprint } = record;
    const fits = fingerprint === undefined || fingerprint === this.#reviewed.get(callId);
    return fits ? undefined : { reason: 'foreign-decision', more: '' };
  }
}

/** A newer pawl may have begun the run, or have gone on with it: from there on, records may say what this one does not know. */
function flawOf(record: JournalRecord, before: number): Flaw | undefined {
  if (before === 0 && record.type !== 'run.started') return { reason: 'no-header', more: '' };
  const isFromHere = record.type === 'run.started' || record.type === 'run.resumed';
  return isFromHere && record.version > RECORD_VERSION
    ? { reason: 'newer-version', more: ` (${record.pawl})` }
    : undefined;
}
