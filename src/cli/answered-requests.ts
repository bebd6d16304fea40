import type { Message } from '../../machines/protocol.ts';
import type { JournalRecord } from '../journal/record.ts';
import { Transcript } from '../journal/transcript.ts';

/** What the model was told last, for each request that got a reply or a failure of the script's making. */
export function answeredRequests(records: readonly JournalRecord[]): Message[] {
  const transcript = new Transcript();
  const asked: Message[] = [];
  for (const record of records) {
    const isAnswer =
      record.type === 'reply.received' ||
      record.type === 'summary.received' ||
      (record.type === 'attempt.failed' && record.failure.kind !== 'script');
    const told = transcript.messages.findLast(({ role }) => role === 'user');
    if (isAnswer && told) asked.push(told);
    transcript.apply(record);
  }
  return asked;
}
