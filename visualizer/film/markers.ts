/** What stands out in a run: marked on the timeline. */
import type { Frame } from './film.ts';
import { outcomeOf } from './gist.ts';

export type MarkerKind = 'retry' | 'approval' | 'limit' | 'crash' | 'resume' | 'end' | 'failed' | 'check';

export interface Marker {
  readonly index: number;
  readonly kind: MarkerKind;
  readonly text: string;
}

export function markerOf({ record, index }: Frame, before: Frame | undefined): Marker | null {
  const mark = (kind: MarkerKind, text: string): Marker => ({ index, kind, text });
  switch (record?.type) {
    case 'attempt.failed':
      return record.failure.retryable
        ? mark('retry', `Attempt ${record.attempt} failed: ${record.failure.message}`)
        : mark('failed', `Failed: ${record.failure.message}`);
    case 'calls.reviewed':
      return record.verdicts.some(({ verdict }) => verdict === 'ask')
        ? mark('approval', 'A person is asked')
        : null;
    case 'approval.granted':
      return mark('approval', 'Approved');
    case 'approval.denied':
      return mark('approval', 'Denied');
    case 'check.finished':
      return mark(record.passed ? 'check' : 'failed', `Check ${outcomeOf(record)}`);
    case 'run.closing':
      return mark('limit', record.stop.status === 'cancelled' ? 'Cancelled' : `Limit: ${record.stop.status}`);
    case 'run.resumed':
      return before?.record?.type === 'run.ended'
        ? mark('resume', 'Taken up again')
        : mark('crash', 'Interrupted, and taken up again');
    case 'run.ended':
      return mark('end', `Ended: ${record.status}`);
    default:
      return null;
  }
}
