/** Where repeated runs of a task part: in what the model did and what came of it, not in names and figures. */
import { isToolUse } from '../../machines/protocol.ts';
import { compareRuns, type Difference } from '../journal/compare.ts';
import type { JournalRecord } from '../journal/record.ts';

export interface Parting {
  /** Number of the first record that is not the same. */
  readonly record: number;
  /** Empty: one of the runs ends there. */
  readonly differences: readonly Difference[];
}

/** null: the runs are the same. @param left see `comparable` */
export function partingOf(left: readonly JournalRecord[], right: readonly JournalRecord[]): Parting | null {
  const found = compareRuns(left, right);
  if (found.outcome === 'same') return null;
  return { record: found.equal, differences: found.outcome === 'differ' ? found.differences : [] };
}

/** What is said by chance, or measured. Thinking is signed anew each time. */
const OWN: ReadonlySet<string> = new Set([
  'fingerprint',
  'costUsd',
  'usage',
  'forecast',
  'signature',
  'settings',
]);

/**
 * Records without what two runs never share: the copy that each works in, the ids that the service makes up, tokens and costs.
 * @param workspace absolute path of the copy
 */
export function comparable(records: readonly JournalRecord[], workspace: string): JournalRecord[] {
  const ids = records.flatMap((record) =>
    record.type === 'reply.received' || record.type === 'summary.received'
      ? record.message.content.filter(isToolUse).map(({ id }) => String(id))
      : [],
  );
  const renamed = new Map(ids.map((id, index) => [id, `call ${index + 1}`]));
  const copy = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return renamed.get(value) ?? value.replaceAll(workspace, '.');
    if (Array.isArray(value)) return value.map((each) => copy(each, ''));
    if (typeof value !== 'object' || value === null) return value;
    const fields = key === 'message' ? messageOf(value) : value;
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => !OWN.has(name))
        .map(([name, field]) => [name, copy(field, name)]),
    );
  };
  return records.map((record) => copy(record, '') as JournalRecord);
}

/** Of a reply, what it says and how it ended; the rest is the service's. A failure has a message that is a text. */
const messageOf = (message: object): object =>
  'content' in message && 'stop_reason' in message
    ? { content: message.content, stop_reason: message.stop_reason }
    : message;
