/** What a record says to a person, in lines. Everything that came from the model or a tool is printable in them. */
import { assertNever } from '../../machines/never.ts';
import { isToolUse, type ToolUseBlock } from '../../machines/protocol.ts';
import { STOP_STATUSES, type Stop } from '../../machines/status.ts';
import type { JournalRecord } from '../journal/record.ts';
import { appliedEdits } from './applied-edits.ts';
import { duration, glimpse, jsonLine, shortened, shortName, size, wrapped } from './format.ts';
import { printableLine } from './printable.ts';
import type { Style } from './style.ts';

type Of<Type extends JournalRecord['type']> = Extract<JournalRecord, { type: Type }>;

/** Shorter calls are not worth a figure. */
const WORTH_TELLING_MS = 100;

/** What the model is told of a call that did not run is what the person can mend: it is shown whole, unless it is very long. */
const LONGEST_REASON = 300;

export class RecordLines {
  /** The calls of the last reply, with their numbers: later records name them by id only. */
  #calls: ReadonlyMap<string, { readonly call: ToolUseBlock; readonly number: number }> = new Map();

  constructor(
    private readonly style: Style,
    /** Columns for a line that is shortened to fit, and those at which one that is not shortened breaks. */
    private readonly width: number,
    private readonly columns: number,
    /** Of a run that was begun before. */
    private readonly runId?: string,
  ) {}

  of(record: JournalRecord): string[] {
    switch (record.type) {
      case 'run.started':
        return [this.#heading(record)];
      case 'run.resumed':
        return this.#resumed(record);
      case 'reply.received':
      case 'summary.received':
        this.#calls = new Map(
          record.message.content
            .filter(isToolUse)
            .map((call, index) => [call.id, { call, number: index + 1 }]),
        );
        return appliedEdits(record.message).map((edit) =>
          this.style.yellow(`! For the model, the service ${edit}. The run keeps all of it.`),
        );
      case 'attempt.failed':
        return this.#failure(record);
      case 'calls.reviewed':
        return record.verdicts.flatMap((verdict) =>
          verdict.verdict === 'refuse' ? this.#unrun(verdict.callId, 'refused', verdict.reason) : [],
        );
      case 'approval.denied':
        return this.#unrun(record.callId, 'denied', record.content);
      case 'tool.started':
        return [this.#call(record.callId)];
      case 'tool.finished':
        return [this.#result(record)];
      case 'run.closing':
        return this.#closing(record);
      case 'results.recorded':
        return record.notice === null
          ? []
          : [this.style.yellow('! The same calls gave the same results again; the model is told.')];
      case 'nudge.recorded':
        return [this.style.yellow('! The reply was empty; the model is asked once more.')];
      case 'check.finished':
        return [this.#check(record)];
      case 'repair.started':
        return [this.style.yellow(`! The model is told what the check found (correction ${record.repair}).`)];
      case 'approval.granted':
      case 'file.kept':
      case 'prompt.measured':
      case 'run.ended':
        return [];
      default:
        return assertNever(record);
    }
  }

  /** What is not as it was when the run was interrupted. */
  notice(text: string): string[] {
    return [this.style.yellow(this.#wrapped(`! ${printableLine(text)}`))];
  }

  #resumed({ instruction, workspace }: Of<'run.resumed'>): string[] {
    const { bold, dim } = this.style;
    const name = this.runId === undefined ? 'resumed' : `run ${this.runId} resumed`;
    const heading = wrapped([name, 'in', printableLine(workspace)], this.columns);
    return [
      `${bold(name)}${dim(heading.slice(name.length))}`,
      ...(instruction === null
        ? []
        : [shortened(`  to the model: ${printableLine(instruction)}`, this.width)]),
    ];
  }

  /** One that is not repeated is told at the end, as the reason. */
  #failure({ attempt, failure }: Of<'attempt.failed'>): string[] {
    return failure.retryable
      ? [this.style.yellow(this.#wrapped(`  attempt ${attempt} failed: ${printableLine(failure.message)}`))]
      : [];
  }

  #heading({ runId, workspace, model }: Of<'run.started'>): string {
    const { bold, dim } = this.style;
    const name = `run ${runId}`;
    const words = [name, printableLine(model), 'in', printableLine(workspace)];
    return `${bold(name)}${dim(wrapped(words, this.columns).slice(name.length))}`;
  }

  /** "→ bash {…}", with the call's number where the reply has several. */
  #call(callId: string): string {
    const call = this.#calls.get(callId)?.call;
    const head = `${this.#number(callId)}${shortName(String(call?.name))}`;
    const input = shortened(jsonLine(call?.input), this.width - head.length - 3);
    return `${this.style.cyan('→')} ${this.style.bold(head)} ${input}`;
  }

  #number(callId: string): string {
    return this.#calls.size > 1 ? `${this.#calls.get(callId)?.number} ` : '';
  }

  #result({ callId, content, isError, durationMs }: Of<'tool.finished'>): string {
    const { bytes, beginning } = glimpse(content);
    const word = `${this.#number(callId)}${isError ? 'error' : 'ok'}`;
    const time = durationMs >= WORTH_TELLING_MS ? `, ${duration(durationMs)}` : '';
    const figures = `(${size(bytes)}${time})`;
    const said = shortened(beginning, this.width - word.length - figures.length - 4);
    const { red, green, dim } = this.style;
    return `  ${isError ? red(word) : green(word)} ${dim(figures)} ${said}`;
  }

  /** "  failed (exit code 1, 0.4 s) npm test ⏎ what it printed". */
  #check({ command, passed, exitCode, output, durationMs, stop }: Of<'check.finished'>): string {
    const { green, red, yellow, dim } = this.style;
    const word = `check ${stop === null ? (passed ? 'passed' : 'failed') : 'stopped'}`;
    const code = exitCode === null ? '' : `exit code ${exitCode}, `;
    const figures = `(${code}${duration(durationMs)})`;
    const said = passed ? '' : ` ⏎ ${glimpse(output).beginning}`;
    const rest = shortened(`${printableLine(command)}${said}`, this.width - word.length - figures.length - 4);
    const paint = stop === null ? (passed ? green : red) : yellow;
    return `  ${paint(word)} ${dim(figures)} ${rest}`;
  }

  #unrun(callId: string, outcome: string, reason: string): string[] {
    const word = `${this.#number(callId)}${outcome}`;
    const said = shortened(printableLine(reason), LONGEST_REASON);
    const line = this.#wrapped(`  ${word}: ${said}`);
    return [this.#call(callId), line.replace(word, this.style.yellow(word))];
  }

  #closing({ stop, results, notice }: Of<'run.closing'>): string[] {
    const why = stop.status === 'cancelled' ? cancelOf(stop) : STOP_STATUSES[stop.status].meaning;
    const next = notice === null ? '' : ' One more turn, without tools, for a summary.';
    return [
      ...results.flatMap(({ callId, content }) => this.#unrun(callId, 'not run', content)),
      this.style.yellow(this.#wrapped(`! ${why}${next}`)),
    ];
  }

  #wrapped(line: string): string {
    return wrapped(line.split(' '), this.columns);
  }
}

const cancelOf = ({ signal, atQuestion }: Stop): string =>
  atQuestion ? 'Stopped at the question.' : `Cancelled by ${signal}.`;
