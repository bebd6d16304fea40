/**
 * Standard error as people see it: whole lines, running text, a question, and on a terminal a line at the bottom that
 * says what is being waited for. That line never stays: everything else that is written takes its place.
 */
import { duration } from './format.ts';
import type { Style } from './style.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const ERASE_LINE = '\r\x1b[K';

export interface ScreenStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
}

export class Screen {
  #atLineStart = true;
  #waiting: { readonly label: string; readonly since: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;
  #frame = 0;

  constructor(
    private readonly stream: ScreenStream,
    private readonly style: Style,
  ) {}

  get isTerminal(): boolean {
    return this.stream.isTTY === true;
  }

  /** Columns that a line may fill; where there is no terminal, what is easy to read. */
  get width(): number {
    return (this.isTerminal && this.stream.columns) || 120;
  }

  /** Columns at which a line is broken by the terminal; where there is none, nothing breaks it. */
  get columns(): number {
    return this.isTerminal ? this.width : Infinity;
  }

  line(text: string): void {
    this.#write(`${this.#atLineStart ? '' : '\n'}${text}\n`);
  }

  /** Text that arrives in pieces. */
  text(text: string): void {
    if (text !== '') this.#write(text);
  }

  /** A question, behind which the person types. Nothing moves until `answered`. */
  prompt(question: string): void {
    this.wait(undefined);
    this.#write(`${this.#atLineStart ? '' : '\n'}${question}`);
  }

  /** The terminal has echoed the person's line feed. */
  answered(): void {
    this.#atLineStart = true;
  }

  /** What is being waited for; undefined: nothing. Shown on terminals only. */
  wait(label: string | undefined): void {
    if (!this.isTerminal || label === this.#waiting?.label) return;
    this.#erase();
    clearInterval(this.#timer);
    this.#waiting = label === undefined ? undefined : { label, since: performance.now() };
    if (label !== undefined) this.#timer = setInterval(() => this.#draw(), FRAME_MS).unref();
  }

  close(): void {
    this.wait(undefined);
    if (!this.#atLineStart) this.#write('\n');
  }

  #write(text: string): void {
    this.#erase();
    this.stream.write(text);
    this.#atLineStart = text.endsWith('\n');
  }

  #draw(): void {
    if (this.#waiting === undefined || !this.#atLineStart) return;
    const { label, since } = this.#waiting;
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    const text = `${frame} ${label}, ${duration(performance.now() - since)}`.slice(0, this.width - 1);
    this.stream.write(`${ERASE_LINE}${this.style.dim(text)}`);
    this.#isDrawn = true;
  }

  #erase(): void {
    if (!this.#isDrawn) return;
    this.stream.write(ERASE_LINE);
    this.#isDrawn = false;
  }
}
