import { CLOSING_STATUSES } from '../../machines/status.ts';
import type { Ended } from './reporter.ts';

/**
 * What belongs on standard output in text mode: an answer, whatever its check says, or the summary behind a limit. A text that was cut or refused is
 * none, and a pipeline must not take it for one.
 */
export function answerOf({ status, result }: Ended): string | null {
  const mayAnswer =
    status === 'answered' ||
    status === 'unverified' ||
    CLOSING_STATUSES.some((closing) => closing === status);
  return mayAnswer ? result : null;
}

export const withLineEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
