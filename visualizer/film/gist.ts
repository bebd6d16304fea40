/** What a record says, in a few words behind its type. */
import { isToolUse, type ToolContent, textOf } from '../../machines/protocol.ts';
import type { JournalRecord } from '../../src/journal/record.ts';

export function gistOf(record: JournalRecord): string {
  switch (record.type) {
    case 'run.started':
      return record.task;
    case 'reply.received':
    case 'summary.received': {
      const calls = record.message.content.filter(isToolUse).map(({ name }) => name);
      return [
        record.message.stop_reason ?? 'no stop reason',
        calls.join(', '),
        textOf(record.message.content),
      ]
        .filter((part) => part !== '')
        .join(' · ');
    }
    case 'attempt.failed':
      return record.failure.message;
    case 'prompt.measured':
      return `${record.forecast.inputTokens.toLocaleString('en-US')} tokens of input`;
    case 'calls.reviewed':
      return record.verdicts.map(({ verdict }) => verdict).join(', ');
    case 'tool.finished':
      return `${record.isError ? 'error' : 'ok'} · ${plainText(record.content)}`;
    case 'approval.denied':
      return record.content;
    case 'results.recorded':
      return `${record.callIds.length} of turn ${record.turn}`;
    case 'nudge.recorded':
      return record.text;
    case 'run.closing':
      return record.stop.status;
    case 'check.finished':
      return `${outcomeOf(record)} · ${record.command}`;
    case 'repair.started':
      return record.instruction;
    case 'file.kept':
      return record.path;
    case 'run.resumed':
      return record.instruction ?? `pawl ${record.pawl}`;
    case 'run.ended':
      return record.status;
    default:
      return 'callId' in record ? record.callId : '';
  }
}

export const outcomeOf = ({
  passed,
  stop,
  exitCode,
}: Extract<JournalRecord, { type: 'check.finished' }>): string =>
  stop !== null ? `stopped: ${stop.status}` : passed ? 'passed' : `failed, exit code ${exitCode ?? 'none'}`;

/** Blocks that are no text are named. */
export const plainText = (content: ToolContent): string =>
  typeof content === 'string'
    ? content
    : content.map((block) => (typeof block.text === 'string' ? block.text : `[${block.type}]`)).join('\n');
