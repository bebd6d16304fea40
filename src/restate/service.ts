/** The workflow under its name, with what can be said to a run from outside. */
import {
  TerminalError,
  type WorkflowContext,
  type WorkflowSharedContext,
  workflow,
} from '@restatedev/restate-sdk/node';
import {
  approvalOf,
  CANCEL,
  type CallDecision,
  type Cancel,
  type Submission,
  workflowName,
} from './protocol.ts';
import type { Shop } from './shop.ts';
import { runWorkflow } from './workflow.ts';

/** How long what came of a run can be read, its records among it. */
export const RETENTION = { days: 7 } as const;

const HOURS_24 = { hours: 24 } as const;

export const pawlWorkflow = (shop: Shop, version: string) =>
  workflow({
    name: workflowName(version),
    handlers: {
      run: (context: WorkflowContext, submission: unknown) =>
        runWorkflow(context, asSubmission(submission), shop),
      decide: async (context: WorkflowSharedContext, word: unknown) => {
        const decision = asDecision(word);
        await context.promise<CallDecision>(approvalOf(decision)).resolve(decision);
      },
      cancel: async (context: WorkflowSharedContext, word: unknown) => {
        await context.promise<Cancel>(CANCEL).resolve(asCancel(word));
      },
    },
    options: {
      // Records are values of the state, and a run reads none of them: it has them from its steps.
      enableLazyState: true,
      workflowRetention: RETENTION,
      // The first word on a call counts, and that is known as long as the run.
      idempotencyRetention: RETENTION,
      journalRetention: 0,
      inactivityTimeout: shop.silenceMs,
      // A step may take long: a check, a model that thinks. A worker that is gone is noticed by its connection.
      abortTimeout: HOURS_24,
      // For ever: workers may be away for a weekend.
      retryPolicy: {
        maxAttempts: 2 ** 31 - 1,
        initialInterval: 100,
        exponentiationFactor: 2,
        maxInterval: 5_000,
      },
    },
  });

/** Whoever reaches the engine can send anything. */
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (what: string): never => {
  throw new TerminalError(`This is no ${what} that pawl understands.`, { errorCode: 400 });
};

function asSubmission(value: unknown): Submission {
  if (!isFields(value)) return refuse('submission');
  const { task, workspace, options } = value;
  if (
    typeof task !== 'string' ||
    !(workspace === null || typeof workspace === 'string') ||
    !isFields(options)
  )
    return refuse('submission');
  return { task, workspace, options };
}

function asDecision(value: unknown): CallDecision {
  if (!isFields(value)) return refuse('decision');
  const { callId, fingerprint, granted, reason } = value;
  const texts = [callId, fingerprint, reason].every((text) => typeof text === 'string');
  return texts && typeof granted === 'boolean' ? (value as unknown as CallDecision) : refuse('decision');
}

function asCancel(value: unknown): Cancel {
  const signal = isFields(value) ? value.signal : undefined;
  return signal === 'SIGINT' || signal === 'SIGTERM' ? { signal } : refuse('cancel');
}
