/** A run as a person follows it on standard error: states dim, calls and their results, text as it arrives. */
import { textOf } from '../../machines/protocol.ts';
import { addUsage, NO_USAGE, totalTokens, usageOf } from '../../machines/reply.ts';
import { END_STATUSES } from '../../machines/status.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { RunEvent } from '../outcome.ts';
import { counted, duration, wrapped } from './format.ts';
import { printable } from './printable.ts';
import { RecordLines } from './record-lines.ts';
import type { Screen } from './screen.ts';
import { StateChain } from './state-chain.ts';
import type { Style } from './style.ts';

type Reply = Extract<JournalRecord, { type: 'reply.received' | 'summary.received' }>;

const isReply = (record: JournalRecord): record is Reply =>
  record.type === 'reply.received' || record.type === 'summary.received';

export class Progress {
  readonly #chain: StateChain;
  readonly #lines: RecordLines;
  #usage = NO_USAGE;
  #delayMs = 0;
  #shownText = '';
  /** A text that may turn out to be the answer, which standard output carries; and the lines behind it, its check's among them. */
  #heldText = '';
  #heldLines: string[] = [];
  #isChecked = false;
  /** Calls of the reply in hand that somebody has denied meanwhile: they are told where the run goes on. */
  #denied: string[] = [];

  constructor(
    private readonly screen: Screen,
    private readonly style: Style,
    resumedRun?: string,
    /** Of the model. Whole: where it is told behind each other what comes on standard output too, so the answer is left to that. */
    private readonly texts: 'as it comes' | 'whole' | 'never' = 'as it comes',
  ) {
    this.#chain = new StateChain((line) => this.#tell(style.dim(line)), screen.width - 1);
    this.#lines = new RecordLines(style, screen.width, screen.columns, resumedRun);
  }

  /** What was told before, by another process: later records name its calls, and its tokens count on. */
  recall(records: readonly JournalRecord[]): void {
    for (const record of records) this.#count(record);
    for (const record of records.slice(Math.max(0, records.findLastIndex(isReply)))) {
      const lines = this.#lines.of(record);
      if (record.type === 'approval.denied') this.#denied.push(...lines);
      if (record.type === 'results.recorded' || record.type === 'run.closing') this.#denied = [];
    }
  }

  /** The text of the last reply, as far as it is on the screen. */
  get shownText(): string {
    return this.#shownText;
  }

  say(line: string): void {
    this.#line(wrapped(line.split(' '), this.screen.columns));
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case 'transition':
        this.#enter(event.state);
        break;
      case 'record':
        this.#record(event.record);
        break;
      case 'notice':
        for (const line of this.#lines.notice(event.text)) this.#line(line);
        break;
      case 'text':
        if (this.texts === 'as it comes') this.#text(event.text);
        break;
      case 'text.withdrawn':
        if (this.#shownText !== '') this.#line(this.style.dim('  (void: the request failed in the middle)'));
        this.#shownText = '';
        break;
      default:
        event satisfies never;
    }
  }

  /** @param answer what standard output gets */
  close(answer: string | null = null): void {
    if (this.#heldText === answer) this.#heldText = '';
    this.#tellHeld();
    this.#chain.flush();
    this.screen.close();
  }

  #enter(state: string): void {
    if (state === 'verifying') {
      this.#chain.flush();
      this.#isChecked = this.#heldText !== '';
    }
    this.#chain.add(state === 'backingOff' ? `${state} (${duration(this.#delayMs)})` : state);
    const isQuiet = state.startsWith('awaitingApproval') || state in END_STATUSES || state === 'verified';
    this.screen.wait(isQuiet ? undefined : state);
    // A question comes next, which others write.
    if (isQuiet) this.#chain.flush();
    if (state === 'asking.requesting' || state === 'finishing.requesting') this.#shownText = '';
  }

  #record(record: JournalRecord): void {
    if (record.type === 'attempt.failed') this.#delayMs = record.failure.delayMs;
    const lines = this.#lines.of(record);
    if (record.type === 'run.resumed') lines.push(...this.#denied);
    // Only the end of the run says that the last text is the answer: a check of it may lead to another one.
    if (this.#heldText !== '' && (record.type === 'run.ended' || record.type === 'check.finished')) {
      if (this.#isChecked) this.#chain.flush();
      this.#heldLines.push(...lines);
      return;
    }
    this.#tellHeld();
    for (const line of lines) this.#line(line);
    if (!isReply(record)) return;
    const { message, turn, type } = record;
    this.#count(record);
    const text = textOf(message.content);
    if (this.texts === 'whole') this.#heldText = text;
    else if (this.texts !== 'never' && this.#shownText === '' && text.trim() !== '') this.#text(text);
    const which = type === 'summary.received' ? 'summary' : `turn ${turn}`;
    this.#chain.note(`${which}: ${counted(totalTokens(this.#usage), 'token')} so far`);
  }

  #count(record: JournalRecord): void {
    if (isReply(record)) this.#usage = addUsage(this.#usage, usageOf(record.message));
  }

  #tellHeld(): void {
    if (this.#isChecked) this.#chain.flush();
    const [text, lines] = [this.#heldText, this.#heldLines];
    this.#heldText = '';
    this.#heldLines = [];
    this.#isChecked = false;
    if (text.trim() !== '') this.#text(text);
    for (const line of lines) this.#line(line);
  }

  #text(text: string): void {
    this.#chain.flush();
    this.screen.text(printable(text));
    this.#shownText += text;
  }

  /** A state, where it stands in the run: the check of a text that is held back is told behind it. */
  #tell(line: string): void {
    if (this.#isChecked) this.#heldLines.push(line);
    else this.screen.line(line);
  }

  #line(line: string): void {
    this.#chain.flush();
    this.screen.line(line);
  }
}
