/** What a record says, in a few words behind its type. Everything that came from outside is printable in them. */
import { assertNever } from '../../machines/never.ts';
import { isToolUse, type ToolUseBlock, textOf } from '../../machines/protocol.ts';
import { totalTokens, usageOf } from '../../machines/reply.ts';
import type { JournalRecord, RecordBody } from '../journal/record.ts';
import { appliedEdits } from './applied-edits.ts';
import { counted, duration, glimpse, jsonLine, shortName, size } from './format.ts';
import { printableLine } from './printable.ts';

type Of<Type extends RecordBody['type']> = Extract<RecordBody, { type: Type }>;

export class RecordGist {
  /** The calls of the last reply, with their numbers: later records name them by id only. */
  #calls: ReadonlyMap<string, { readonly call: ToolUseBlock; readonly number: number }> = new Map();

  /**
   * One line of any length. To be asked for every record in order: what a call is stands in an earlier one.
   * @param next the record behind it; undefined: there is none yet
   */
  of(record: JournalRecord, next: JournalRecord | undefined): string {
    switch (record.type) {
      case 'run.started':
        return started(record);
      case 'reply.received':
      case 'summary.received':
        return this.#reply(record);
      case 'attempt.failed':
        return failed(record, next);
      case 'calls.reviewed':
        return record.verdicts
          .map((one) => {
            const reason = one.verdict === 'refuse' ? ` (${printableLine(one.reason)})` : '';
            return `${this.#name(one.callId)}: ${one.verdict}${reason}`;
          })
          .join(', ');
      case 'approval.granted':
        return parts(this.#name(record.callId), printableLine(record.rule ?? ''));
      case 'approval.denied':
        return `${this.#name(record.callId)}: ${printableLine(record.content)}`;
      case 'tool.started':
        return `${this.#name(record.callId)} ${jsonLine(this.#calls.get(record.callId)?.call.input)}`;
      case 'file.kept':
        return `${this.#name(record.callId)} ${printableLine(record.path)}${record.before === null ? ' (new)' : ''}`;
      case 'tool.finished':
        return this.#result(record);
      case 'results.recorded':
        return parts(
          `turn ${record.turn}`,
          counted(record.callIds.length, 'result'),
          record.notice === null ? '' : 'with a notice: the same again and again',
        );
      case 'nudge.recorded':
        return `turn ${record.turn} · the reply was empty`;
      case 'prompt.measured':
        return measured(record);
      case 'run.closing':
        return closing(record);
      case 'check.finished':
        return checked(record);
      case 'repair.started':
        return parts(`repair ${record.repair}`, printableLine(record.instruction));
      case 'run.resumed':
        return resumed(record);
      case 'run.ended':
        return ended(record);
      default:
        return assertNever(record);
    }
  }

  /** "2 bash": the number is left out where the reply has one call. */
  #name(callId: string): string {
    const found = this.#calls.get(callId);
    if (found === undefined) return shortName(String(callId));
    return `${this.#calls.size > 1 ? `${found.number} ` : ''}${shortName(String(found.call.name))}`;
  }

  #reply({ turn, attempt, message, problems }: Of<'reply.received'> | Of<'summary.received'>): string {
    const calls = message.content.filter(isToolUse);
    this.#calls = new Map(calls.map((call, index) => [call.id, { call, number: index + 1 }]));
    const text = textOf(message.content).trim();
    return parts(
      `turn ${turn}${attempt > 1 ? `, attempt ${attempt}` : ''}`,
      appliedEdits(message).join(', '),
      printableLine(message.stop_reason ?? 'no stop reason'),
      calls.map(({ id }) => this.#name(id)).join(', '),
      counted(totalTokens(usageOf(message)), 'token'),
      problems.map(printableLine).join(', '),
      printableLine(text.replaceAll(/\s*\n\s*/g, ' ⏎ ')),
    );
  }

  #result({ callId, content, isError, durationMs }: Of<'tool.finished'>): string {
    const { bytes, beginning } = glimpse(content);
    return `${this.#name(callId)} ${isError ? 'error' : 'ok'} (${size(bytes)}, ${duration(durationMs)}) ${beginning}`;
  }
}

const parts = (...all: readonly string[]): string => all.filter((part) => part !== '').join(' · ');

const started = ({ origin, model, task, workspace }: Of<'run.started'>): string =>
  parts(
    origin ? `fork of ${shortName(origin.runId)} at ${origin.seq}` : '',
    shortName(model),
    printableLine(task),
    `in ${printableLine(workspace)}`,
  );

const measured = ({ turn, forecast, isExact }: Of<'prompt.measured'>): string =>
  parts(`turn ${turn}`, `${isExact ? '' : 'at most '}${counted(forecast.inputTokens, 'token')} of input`);

const failed = ({ turn, attempt, failure }: Of<'attempt.failed'>, next: JournalRecord | undefined): string =>
  parts(
    `turn ${turn}, attempt ${attempt}`,
    !failure.retryable
      ? 'for good'
      : isTheEnd(next)
        ? 'not tried again'
        : `again in ${duration(failure.delayMs)}`,
    printableLine(failure.message),
  );

/** There were no tries left, or a cancel or a limit came first. */
const isTheEnd = (next: JournalRecord | undefined): boolean =>
  next?.type === 'run.ended' || next?.type === 'run.closing';

const closing = ({ stop, results, notice }: Of<'run.closing'>): string =>
  parts(
    stop.signal === undefined
      ? stop.status
      : `${stop.status} ${stop.atQuestion ? 'at the question' : `by ${stop.signal}`}`,
    results.length > 0 ? `${counted(results.length, 'call')} not run` : '',
    notice === null ? 'no summary' : 'a summary comes next',
  );

const checked = ({ attempt, passed, stop, command, output, durationMs }: Of<'check.finished'>): string =>
  parts(
    `check ${attempt} ${stop ? `stopped (${stop.status})` : passed ? 'passed' : 'failed'} (${duration(durationMs)})`,
    printableLine(command),
    glimpse(output).beginning,
  );

const resumed = ({ pawl, workspace, instruction }: Of<'run.resumed'>): string =>
  parts(
    instruction === null ? '' : `to the model: ${printableLine(instruction)}`,
    `pawl ${shortName(pawl)} in ${printableLine(workspace)}`,
  );

const ended = ({ status, turns, usage }: Of<'run.ended'>): string =>
  parts(status, counted(turns, 'turn'), counted(totalTokens(usage), 'token'));
