import type { JobInputs, JobName } from '../machines/context.ts';
import { afterCall } from './actors/after-call.ts';
import { appendJournal } from './actors/append-journal.ts';
import { askModel } from './actors/ask-model.ts';
import { awaitApproval } from './actors/await-approval.ts';
import { executeTools } from './actors/execute-tools.ts';
import { openGate } from './actors/gate.ts';
import type { Jobs, JobWork, TaskWork } from './actors/job.ts';
import { measurePrompt } from './actors/measure-prompt.ts';
import type { CallParts } from './actors/record-outcome.ts';
import { reviewCalls } from './actors/review-calls.ts';
import { startRepair } from './actors/start-repair.ts';
import { verifyTask } from './actors/verify-task.ts';
import { waitBeforeRetry } from './actors/wait-before-retry.ts';
import { watchClock } from './actors/watch-clock.ts';
import { dearestPrice } from './budget/prices.ts';
import { recordPlaces } from './journal/location.ts';
import type { RunStarted } from './journal/record.ts';
import type { RunLog } from './journal/run-log.ts';
import type { ModelRequest } from './model/client.ts';
import type { Means } from './options.ts';
import { nobody } from './permissions/nobody.ts';
import { askForEffects } from './permissions/policy.ts';
import { Session } from './permissions/session.ts';
import { redactorOf } from './redactor-of.ts';
import { localSandbox } from './sandbox/process.ts';
import type { Toolbox } from './tools/toolbox.ts';

/** The jobs that the machines' states invoke, under the names by which they do. */
export interface Works {
  readonly loop: { readonly [Name in JobName]: JobWork<Name> };
  readonly task: {
    readonly startRepair: TaskWork<'startRepair'>;
    /** Absent where answers are not checked. */
    readonly verifyTask?: TaskWork<'verifyTask'>;
  };
  /** What `executeTools` runs each call with. */
  readonly calls: CallParts;
}

/** The loop machine's jobs as its actors. */
export const provideJobs = ({ loop }: Pick<Works, 'loop'>, jobs: Jobs) => ({
  askModel: jobs.define(loop.askModel),
  measurePrompt: jobs.define(loop.measurePrompt),
  watchClock: jobs.define(loop.watchClock),
  waitBeforeRetry: jobs.define(loop.waitBeforeRetry),
  appendJournal: jobs.define(loop.appendJournal),
  reviewCalls: jobs.define(loop.reviewCalls),
  awaitApproval: jobs.define(loop.awaitApproval),
  executeTools: jobs.define(loop.executeTools),
});

type Wanted = Pick<JobInputs['askModel'], 'conclude' | 'fallback'>;

/**
 * The jobs of one run. What they find out goes to a log: that of the run, or one of each job's own.
 * @param elapsedMs since the process took the run up
 */
export function worksOf(
  means: Means,
  header: RunStarted,
  toolbox: Toolbox,
  elapsedMs: () => number = () => 0,
): (log: RunLog) => Works {
  const { gate = openGate, now = Date.now, random = Math.random, onEvent = () => {} } = means;
  const { sandbox = localSandbox(), signal } = means;
  const { runId, model, fallbackModel, system, effort, tools, workspace, limits, check } = header;
  const { beforeCall = [], afterCall: afterCalls = [] } = means.hooks ?? {};
  const run = { runId, workspace };
  const modelOf = (fallback: boolean) => (fallback ? fallbackModel : null) ?? model;
  const redact = redactorOf(means);
  const session = new Session();
  const policy = session.over(means.policy ?? askForEffects);
  const remainingMs = () => (limits.timeoutMs ?? Number.POSITIVE_INFINITY) - elapsedMs();
  return (log) => {
    /** With a copy of the messages: the list grows, and whoever keeps a request must not see it grow. */
    const requestOf = ({ conclude, fallback }: Wanted, maxOutputTokens: number): ModelRequest => ({
      model: modelOf(fallback),
      system,
      effort,
      tools,
      messages: [...log.transcript.messages],
      toolsOff: conclude,
      maxOutputTokens,
    });
    const calls: CallParts = {
      toolbox,
      context: {
        workspace,
        closed: recordPlaces(log.journal.location),
        sandbox,
        finishedCalls: () => log.transcript.finishedCalls,
      },
      log,
      gate,
      now,
      redact,
      afterCall: afterCall(afterCalls, run, gate, redact),
    };
    return {
      loop: {
        askModel: askModel({
          client: means.client,
          requestOf: (input) => requestOf(input, input.maxOutputTokens),
          idleTimeoutMs: means.idleTimeoutMs,
          maxRetryWaitMs: means.maxRetryWaitMs,
          remainingMs,
          prices: means.prices,
          log,
          gate,
          random,
          onText: (text) => onEvent({ type: 'text', text }),
          onWithdrawn: () => onEvent({ type: 'text.withdrawn' }),
        }),
        measurePrompt: measurePrompt({
          client: means.client,
          requestOf: (input) => requestOf(input, input.wanted),
          priceOf: ({ fallback, wanted }, inputTokens) =>
            dearestPrice(modelOf(fallback), inputTokens + wanted, means.prices),
          log,
          idleTimeoutMs: means.idleTimeoutMs,
        }),
        watchClock: watchClock(elapsedMs),
        waitBeforeRetry: waitBeforeRetry(gate),
        appendJournal: appendJournal(log),
        reviewCalls: reviewCalls({
          toolbox,
          policy,
          run,
          maxCallsByTool: limits.maxCallsByTool ?? {},
          beforeCall,
          log,
          gate,
          redact,
        }),
        awaitApproval: awaitApproval({
          approver: means.approver ?? nobody('with a policy or an approver', 'with an approver'),
          policy,
          session,
          run,
          redact,
          log,
          gate,
        }),
        executeTools: executeTools(calls),
      },
      task: {
        ...(check && {
          verifyTask: verifyTask({
            check,
            workspace,
            sandbox,
            log,
            gate,
            redact,
            remainingMs,
            turn: () => log.transcript.replies.at(-1)?.turn ?? 0,
            now,
            cancelled: signal,
          }),
        }),
        startRepair: startRepair(log),
      },
      calls,
    };
  };
}
