import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../permissions/approver.ts';
import { deniedByPerson } from '../../permissions/denial.ts';
import type { Decision, OpenQuestion } from '../protocol.ts';

interface Open {
  readonly question: OpenQuestion;
  readonly answer: (answer: ApprovalAnswer) => void;
}

/** Calls that wait for a person, who answers on the page or at the terminal: what comes first counts. */
export class Questions implements Approver {
  readonly #open = new Map<string, Open>();

  /** @param terminal null: there is none, and the question waits for the page alone */
  constructor(
    private readonly terminal: Approver | null,
    private readonly onChange: () => void,
  ) {}

  get open(): readonly OpenQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { callId, tool, input } = request;
    const answered = new AbortController();
    const ended = AbortSignal.any([signal, answered.signal]);
    const page = new Promise<ApprovalAnswer>((resolve) => {
      this.#open.set(callId, { question: { callId, tool, input, diff: diffOf(request) }, answer: resolve });
      // Nobody looks at the answer then: the question has ended with the state that it belongs to.
      signal.addEventListener('abort', () => resolve(deniedByPerson('')), { once: true });
    });
    if (signal.aborted) return deniedByPerson('');
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

/** For what says itself which lines it takes out and puts in. No file is read for it. */
function diffOf({ tool, input }: ApprovalRequest): string | null {
  const { path, old_string, new_string } = (input ?? {}) as { readonly [name: string]: unknown };
  if (tool !== 'edit_file' || typeof old_string !== 'string' || typeof new_string !== 'string') return null;
  const lines = (mark: string, text: string) =>
    text === '' ? [] : text.split('\n').map((line) => `${mark}${line}`);
  return [`--- ${path}`, `+++ ${path}`, '@@', ...lines('-', old_string), ...lines('+', new_string)].join(
    '\n',
  );
}
