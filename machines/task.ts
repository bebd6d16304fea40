/** What the task machine knows, hears and asks: context, events, jobs, guards and changes. Pure, and JSON in every state. */
import type { CancelSignal, RunStatus, Stop, StopStatus } from './status.ts';

/** How a task may end. The union is closed: each member is a terminal state of the task machine. */
export const TASK_STATUSES = {
  answered: 'The model answered, and nothing was to be checked.',
  verified: 'The model answered, and the check passed.',
  unverified: 'The model answered, and the check failed to the last.',
  needs_clarification: 'The task is not clear: a person is asked, and no model.',
  rejected: 'A rule refused the plan. Nothing was changed.',
  stopped: 'The loop came to no answer, or the check was stopped. The stop says why.',
} as const satisfies Record<string, string>;

export type TaskStatus = keyof typeof TASK_STATUSES;

/** How the loop ended, or what stopped a check. */
export interface TaskStop {
  readonly status: StopStatus;
  readonly signal?: CancelSignal;
}

export interface TaskInput {
  /** null: answers are not checked. */
  readonly maxRepairs: number | null;
  /** With gates: the task is classified, a plan is made without effects, and that is screened. null: it is worked on at once. */
  readonly gates?: { readonly maxRevisions: number } | null;
  /** The answer is there, and only its check is wanted. */
  readonly isAnswered?: boolean;
  /** Checks and repairs that were made before, under another machine. */
  readonly checks?: number;
  readonly repairs?: number;
}

export interface TaskContext {
  readonly maxRepairs: number | null;
  /** null: there are no gates. */
  readonly maxRevisions: number | null;
  readonly isAnswered: boolean;
  readonly checks: number;
  readonly repairs: number;
  readonly revisions: number;
  /** The last check passed and nothing was done since; it failed; null: nothing is known. */
  readonly verified: boolean | null;
  readonly stop: TaskStop | null;
}

export const initialTask = ({
  maxRepairs,
  gates = null,
  isAnswered = false,
  checks = 0,
  repairs = 0,
}: TaskInput): TaskContext => ({
  maxRepairs,
  maxRevisions: gates?.maxRevisions ?? null,
  isAnswered,
  checks,
  repairs,
  revisions: 0,
  verified: null,
  stop: null,
});

/** What a rule says of a plan. */
export type Screening = 'accepted' | 'to_be_revised' | 'rejected';

export type TaskEvent =
  | { readonly type: 'task.classified'; readonly isClear: boolean }
  | { readonly type: 'plan.screened'; readonly screening: Screening }
  | { readonly type: 'loop.ended'; readonly stop: TaskStop }
  /** `stop`: the check was broken off, so it says nothing of the work. */
  | { readonly type: 'check.finished'; readonly passed: boolean; readonly stop: Stop | null }
  | { readonly type: 'repair.started' }
  | { readonly type: 'record.failed'; readonly message: string }
  /** The task goes on in another process, with this limit from here on. */
  | { readonly type: 'run.resumed'; readonly maxRepairs: number | null };

/** What a state hands to the job that it invokes. */
export interface TaskJobInputs {
  classifyTask: Record<string, never>;
  /** `researching`: without effects, until there is a plan; `working`: the task itself, or its repair. */
  runLoop: {
    readonly stage: 'researching' | 'working';
    readonly revisions: number;
    readonly repairs: number;
  };
  screenPlan: { readonly revisions: number };
  /** Number of the check, from 1. */
  verifyTask: { readonly attempt: number };
  /** Number of the repair, from 1, and how many there may be. */
  startRepair: { readonly repair: number; readonly maxRepairs: number };
}

export type TaskJobName = keyof TaskJobInputs;

interface Scope {
  readonly context: TaskContext;
  readonly event: TaskEvent;
}

export const taskGuards = {
  isToBeChecked: ({ context }: Scope) => context.isAnswered && context.maxRepairs !== null,
  isGated: ({ context }: Scope) => context.maxRevisions !== null,
  isUnclear: ({ event }: Scope) => event.type === 'task.classified' && !event.isClear,
  hasAnswer: ({ event }: Scope) => event.type === 'loop.ended' && event.stop.status === 'answered',
  hasAnswerToCheck: (scope: Scope) => taskGuards.hasAnswer(scope) && scope.context.maxRepairs !== null,
  isAccepted: ({ event }: Scope) => event.type === 'plan.screened' && event.screening === 'accepted',
  canRevise: ({ context, event }: Scope) =>
    event.type === 'plan.screened' &&
    event.screening === 'to_be_revised' &&
    context.revisions < (context.maxRevisions ?? 0),
  hasStopped: ({ event }: Scope) => event.type === 'check.finished' && event.stop !== null,
  hasPassed: ({ event }: Scope) => event.type === 'check.finished' && event.passed,
  canRepair: ({ context }: Scope) => context.repairs < (context.maxRepairs ?? 0),
};

type Change = Partial<TaskContext>;

export const taskUpdates = {
  noteStop: ({ event }: Scope): Change =>
    event.type === 'loop.ended' || event.type === 'check.finished' ? { stop: event.stop } : {},
  noteLoss: (): Change => ({ stop: { status: 'journal_error' } }),
  countRevision: ({ context }: Scope): Change => ({ revisions: context.revisions + 1 }),
  countCheck: ({ context }: Scope): Change => ({ checks: context.checks + 1 }),
  notePass: (): Change => ({ verified: true }),
  noteFailure: (): Change => ({ verified: false }),
  countRepair: ({ context }: Scope): Change => ({ repairs: context.repairs + 1 }),
  takeMaxRepairs: ({ event }: Scope): Change =>
    event.type === 'run.resumed' ? { maxRepairs: event.maxRepairs } : {},
};

/** What a task around a single run came to, as the run's status; null: it has not ended. */
export function runStatusOf(state: string, { stop }: TaskContext): RunStatus | null {
  switch (state) {
    case 'answered':
    case 'verified':
      return 'answered';
    case 'unverified':
      return 'unverified';
    case 'stopped':
      return stop?.status ?? null;
    default:
      return null;
  }
}

/** What the model is told of a check that failed. */
export const repairInstruction = (command: string, output: string, repair: number, maxRepairs: number) =>
  `Your answer was checked, and the check failed. It is run in the workspace folder:\n$ ${command}\n${output.trimEnd()}\n` +
  `Find the cause, correct the work, and answer again; the check is then run anew (correction ${repair} of ${maxRepairs}).`;
