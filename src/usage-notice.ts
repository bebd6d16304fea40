/** Whether the service says what a reply took. What it does not say counts as nothing, and a person has to know that once. */
import type { AssistantMessage } from '../machines/protocol.ts';
import { totalTokens, usageOf } from '../machines/reply.ts';
import type { JournalRecord } from './journal/record.ts';
import type { RunEvent } from './outcome.ts';

export const USAGE_NOTICE =
  'The service does not say rightly how many tokens its replies take. What is missing, negative or no number counts as 0: figures and costs are too low, and budgets hold only by what pawl measures itself.';

/** Tells of records, and behind the first reply without true figures of that, too. */
export function tellingRecords(onEvent: (event: RunEvent) => void): (record: JournalRecord) => void {
  let isTold = false;
  return (record) => {
    onEvent({ type: 'record', record });
    if (isTold || (record.type !== 'reply.received' && record.type !== 'summary.received')) return;
    if (saysWhatItTook(record.message)) return;
    isTold = true;
    onEvent({ type: 'notice', text: USAGE_NOTICE });
  };
}

/** No reply takes nothing at all. The figures of caches may be left out. */
function saysWhatItTook(message: AssistantMessage): boolean {
  const { usage } = message;
  return (
    isCount(usage?.input_tokens) &&
    isCount(usage?.output_tokens) &&
    isCount(usage?.cache_creation_input_tokens ?? 0) &&
    isCount(usage?.cache_read_input_tokens ?? 0) &&
    totalTokens(usageOf(message)) > 0
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
