/**
 * Why a run ended. The union is closed: each member is a terminal state of the loop machine, has one exit
 * code and one sentence; the README table and `pawl exit-codes` are printed from here.
 */
export const STOP_STATUSES = {
  answered: { exitCode: 0, meaning: 'The model answered and asked for nothing more.' },
  max_turns: { exitCode: 10, meaning: 'The turn limit was reached.' },
  token_budget: { exitCode: 11, meaning: 'The token budget was reached.' },
  cost_budget: { exitCode: 12, meaning: 'The money budget was reached.' },
  max_tool_calls: { exitCode: 13, meaning: 'The limit on tool calls was reached.' },
  time_limit: { exitCode: 14, meaning: 'The time limit was reached.' },
  stuck: { exitCode: 15, meaning: 'The model kept making the same calls and kept getting the same results.' },
  refused: { exitCode: 20, meaning: 'The model refused the request.' },
  truncated: {
    exitCode: 21,
    meaning: 'The output limit cut the reply, and repeating it with more room did not help.',
  },
  context_exhausted: { exitCode: 22, meaning: "The conversation no longer fits the model's context window." },
  model_stopped: {
    exitCode: 23,
    meaning: 'The model stopped without an answer, or for a reason that pawl does not know.',
  },
  protocol_error: { exitCode: 24, meaning: 'The reply contradicted itself, so nothing of it was executed.' },
  model_error: { exitCode: 25, meaning: 'The request to the model failed for good.' },
  journal_error: {
    exitCode: 50,
    meaning:
      'A record could not be saved, so the run stopped before acting on it; or its journal is damaged, or held elsewhere.',
  },
  cancelled: {
    exitCode: 130,
    meaning: 'The run was cancelled: 130 after SIGINT, 143 after SIGTERM and the like.',
  },
} as const satisfies Record<string, { exitCode: number; meaning: string }>;

export type StopStatus = keyof typeof STOP_STATUSES;

/** How a run may end: as its loop does, or, where its answer is checked, without having passed. */
export const END_STATUSES = {
  ...STOP_STATUSES,
  unverified: { exitCode: 40, meaning: 'The model answered, but the check of its work (`--verify`) failed.' },
} as const satisfies Record<string, { exitCode: number; meaning: string }>;

export type EndStatus = keyof typeof END_STATUSES;
export type CancelSignal = 'SIGINT' | 'SIGTERM';

/** The statuses that a run reaches through a closing record, most of them with a summary turn behind it. */
export const CLOSING_STATUSES = [
  'max_turns',
  'token_budget',
  'cost_budget',
  'max_tool_calls',
  'time_limit',
  'stuck',
  'cancelled',
] as const satisfies readonly StopStatus[];

export type ClosingStatus = (typeof CLOSING_STATUSES)[number];

/** Why the run is being brought to its end: the first reason wins, except that a person can always cancel. */
export interface Stop {
  readonly status: ClosingStatus;
  readonly signal?: CancelSignal;
  /** A cancel that no signal brought: the person gave it as the answer to a question. It counts as SIGINT. */
  readonly atQuestion?: true;
}

/** Exit codes that are no stop status: the run did not end, or never began. */
export const OTHER_EXIT_CODES = {
  internal_error: {
    exitCode: 1,
    meaning: 'A defect in pawl or in code that it was given, or the result could not be written.',
  },
  usage: { exitCode: 2, meaning: 'A wrong flag, file or setting. Nothing was started.' },
  suspended: {
    exitCode: 30,
    meaning:
      'Calls wait for an approval. Decide about them with pawl approve or pawl deny, then resume the run.',
  },
} as const;

/** What a process leaves a run in: ended, or waiting for a person. */
export type RunStatus = EndStatus | 'suspended';

export function exitCodeOf(status: RunStatus, signal?: CancelSignal): number {
  if (status === 'suspended') return OTHER_EXIT_CODES.suspended.exitCode;
  return status === 'cancelled' && signal === 'SIGTERM' ? 143 : END_STATUSES[status].exitCode;
}
