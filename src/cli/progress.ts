/** A run as a person follows it on standard error: states dim, calls and their results, text as it arrives. */
import { assertNever } from '../../machines/never.ts';
import { isToolUse, textOf, type ToolUseBlock } from '../../machines/protocol.ts';
import { STOP_STATUSES } from '../../machines/status.ts';
import { addUsage, NO_USAGE, totalTokens, usageOf } from '../../machines/turn.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { RunEvent } from '../outcome.ts';
import { counted, duration, glimpse, jsonLine, shortened, size } from './format.ts';
import { printable, printableLine } from './printable.ts';
import type { Screen } from './screen.ts';
import { StateChain } from './state-chain.ts';
import type { Style } from './style.ts';

type Of<Type extends JournalRecord['type']> = Extract<JournalRecord, { type: Type }>;

export class Progress {
  readonly #chain: StateChain;
  #usage = NO_USAGE;
  #calls: readonly ToolUseBlock[] = [];
  #delayMs = 0;
  /** Text of the reply in hand that is on the screen. */
  #shown = '';

  constructor(
    private readonly screen: Screen,
    private readonly style: Style,
  ) {
    this.#chain = new StateChain((text) => this.screen.line(this.style.dim(text)), screen.width - 4);
  }

  /** The text of the last reply, as far as it was shown. */
  get shownText(): string {
    return this.#shown;
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case 'transition':
        return this.#enter(event.state);
      case 'record':
        return this.#record(event.record);
      case 'text':
        return this.#text(event.text);
      case 'text.withdrawn':
        if (this.#shown !== '') this.#line(this.style.dim('  (void: the request failed in the middle of this text)'));
        this.#shown = '';
        return;
      default:
        return assertNever(event);
    }
  }

  close(): void {
    this.#chain.flush();
    this.screen.close();
  }

  #enter(state: string): void {
    this.#chain.add(state === 'backingOff' ? `${state} (${duration(this.#delayMs)})` : state);
    const isQuiet = state === 'awaitingApproval' || state in STOP_STATUSES;
    this.screen.wait(isQuiet ? undefined : state);
    if (state === 'asking.requesting' || state === 'finishing') this.#shown = '';
  }

  #text(text: string): void {
    this.#chain.flush();
    this.screen.text(printable(text));
    this.#shown += text;
  }

  #line(text: string): void {
    this.#chain.flush();
    this.screen.line(text);
  }

  #record(record: JournalRecord): void {
    switch (record.type) {
      case 'run.started':
        return this.#started(record);
      case 'reply.received':
      case 'summary.received':
        return this.#reply(record);
      case 'attempt.failed':
        this.#delayMs = record.failure.delayMs;
        return this.#line(this.style.yellow(`  attempt ${record.attempt} failed: ${printableLine(record.failure.message)}`));
      case 'calls.reviewed':
        for (const verdict of record.verdicts)
          if (verdict.verdict === 'refuse') this.#unrun(verdict.callId, 'refused', verdict.reason);
        return;
      case 'approval.denied':
        return this.#unrun(record.callId, 'denied', record.content);
      case 'tool.started':
        return this.#line(this.#callLine(record.callId));
      case 'tool.finished':
        return this.#finished(record);
      case 'run.closing':
        return this.#closing(record);
      case 'approval.granted':
      case 'results.recorded':
      case 'run.ended':
        return;
      default:
        return assertNever(record);
    }
  }

  #started({ runId, workspace, model }: Of<'run.started'>): void {
    const { bold, dim } = this.style;
    this.#line(`${bold(`run ${runId}`)} ${dim(`${printableLine(model)} in ${printableLine(workspace)}`)}`);
  }

  #reply({ message, turn, type }: Of<'reply.received'> | Of<'summary.received'>): void {
    this.#usage = addUsage(this.#usage, usageOf(message));
    this.#calls = message.content.filter(isToolUse);
    const text = textOf(message.content);
    if (this.#shown === '' && text.trim() !== '') this.#text(text);
    const which = type === 'summary.received' ? 'summary' : `turn ${turn}`;
    this.#chain.note(`${which}: ${counted(totalTokens(this.#usage), 'token')} so far`);
  }

  /** "→ bash {…}", with the call's number where the reply has several. */
  #callLine(callId: string): string {
    const call = this.#calls.find(({ id }) => id === callId);
    const head = `${this.#number(callId)}${printableLine(String(call?.name))} `;
    const input = shortened(jsonLine(call?.input), this.screen.width - head.length - 3);
    return `${this.style.cyan('→')} ${this.style.bold(head)}${input}`;
  }

  #number(callId: string): string {
    return this.#calls.length > 1 ? `${this.#calls.findIndex(({ id }) => id === callId) + 1} ` : '';
  }

  #finished({ callId, content, isError, durationMs }: Of<'tool.finished'>): void {
    const { bytes, firstLine } = glimpse(content);
    const word = `${this.#number(callId)}${isError ? 'error' : 'ok'}`;
    const figures = `(${size(bytes)}${durationMs >= 100 ? `, ${duration(durationMs)}` : ''})`;
    const said = shortened(firstLine, this.screen.width - word.length - figures.length - 5);
    this.#line(`  ${isError ? this.style.red(word) : this.style.green(word)} ${this.style.dim(figures)} ${said}`);
  }

  #unrun(callId: string, word: string, reason: string): void {
    this.#line(this.#callLine(callId));
    const said = shortened(printableLine(reason), this.screen.width - word.length - 5);
    this.#line(`  ${this.style.yellow(word)} ${said}`);
  }

  #closing({ stop, results, notice }: Of<'run.closing'>): void {
    for (const { callId, content } of results) this.#unrun(callId, 'not run', content);
    const why = stop.status === 'cancelled' ? `Cancelled by ${stop.signal}.` : STOP_STATUSES[stop.status].meaning;
    this.#line(this.style.yellow(`! ${why}${notice === null ? '' : ' One more turn, without tools, for a summary.'}`));
  }
}
