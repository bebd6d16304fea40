import {
  AnsweredElsewhere,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
} from '../../permissions/approver.ts';
import { deniedByPerson } from '../../permissions/denial.ts';
import type { Decision, OpenQuestion } from '../protocol.ts';

interface Open {
  readonly question: OpenQuestion;
  readonly answer: (answer: ApprovalAnswer) => void;
}

/** undefined: the call changes no file, or nothing can be said of it. */
export type DiffOf = (request: ApprovalRequest) => Promise<readonly string[] | undefined>;

/** Calls that wait for a person, who answers on the page or at the terminal: what comes first counts. */
export class Questions implements Approver {
  readonly #open = new Map<string, Open>();

  /**
   * @param terminal null: there is none, and the question waits for the page alone
   * @param diffOf what a call would change in a file
   */
  constructor(
    private readonly terminal: Approver | null,
    private readonly diffOf: DiffOf,
    private readonly onChange: () => void,
  ) {}

  get open(): readonly OpenQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { callId, tool, input } = request;
    const diff = (await this.diffOf(request)) ?? null;
    if (signal.aborted) return deniedByPerson('');
    const answered = new AbortController();
    const ended = AbortSignal.any([signal, answered.signal]);
    const page = new Promise<ApprovalAnswer>((resolve) => {
      const answer = (given: ApprovalAnswer) => {
        resolve(given);
        answered.abort(new AnsweredElsewhere(given));
      };
      this.#open.set(callId, { question: { callId, tool, input, diff }, answer });
      // Nobody looks at the answer then: the question has ended with the state that it belongs to.
      signal.addEventListener('abort', () => resolve(deniedByPerson('')), { once: true });
    });
    this.onChange();
    try {
      return await Promise.race([page, ...(this.terminal ? [this.terminal.ask(request, ended)] : [])]);
    } finally {
      this.#open.delete(callId);
      answered.abort();
      this.onChange();
    }
  }

  /** False: that call does not wait, or was answered elsewhere a moment ago. */
  decide({ callId, granted, reason = '' }: Decision): boolean {
    const open = this.#open.get(callId);
    open?.answer(granted ? { granted } : deniedByPerson(reason));
    this.#open.delete(callId);
    return open !== undefined;
  }
}
