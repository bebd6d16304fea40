import { wrapped } from './format.ts';

/** Longer than the steps of one machine round take, shorter than a person notices. */
const PAUSE_MS = 60;

/**
 * The states that the machine passes, joined to lines such as "asking.checking → asking.requesting": a line is written
 * when something else is to be written, or when the machine has come to rest.
 */
export class StateChain {
  #states: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly write: (line: string) => void,
    private readonly width: number,
  ) {}

  add(state: string): void {
    this.#states.push(state);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS).unref();
  }

  /** A remark on the state that was entered last. */
  note(remark: string): void {
    this.#states.push(`${this.#states.pop() ?? ''} (${remark})`.trim());
  }

  flush(): void {
    clearTimeout(this.#timer);
    const states = this.#states;
    this.#states = [];
    let line = '';
    for (const state of states) {
      const longer = line === '' ? `  ${state}` : `${line} → ${state}`;
      if (longer.length <= this.width || line === '') line = longer;
      else {
        this.write(line);
        line = `  → ${state}`;
      }
      line = this.#broken(line);
    }
    if (line !== '') this.write(line);
  }

  /** A remark may be wider than a narrow terminal. @returns what is left to be written */
  #broken(line: string): string {
    const rows = wrapped(line.split(' '), this.width).split('\n');
    const last = rows.pop() ?? '';
    for (const row of rows) this.write(row);
    return last;
  }
}
