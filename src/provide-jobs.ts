import type { JobInputs } from '../machines/context.ts';
import { afterCall } from './actors/after-call.ts';
import { appendJournal } from './actors/append-journal.ts';
import { askModel } from './actors/ask-model.ts';
import { awaitApproval } from './actors/await-approval.ts';
import { executeTools } from './actors/execute-tools.ts';
import { openGate } from './actors/gate.ts';
import type { Jobs } from './actors/job.ts';
import { measurePrompt } from './actors/measure-prompt.ts';
import { reviewCalls } from './actors/review-calls.ts';
import { waitBeforeRetry } from './actors/wait-before-retry.ts';
import { watchClock } from './actors/watch-clock.ts';
import { dearestPrice } from './budget/prices.ts';
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

type Wanted = Pick<JobInputs['askModel'], 'conclude' | 'fallback'>;

/**
 * The loop machine's jobs for one run, under the names that its states invoke.
 * @param elapsedMs since the process took the run up
 */
export function provideJobs(
  means: Means,
  header: RunStarted,
  log: RunLog,
  toolbox: Toolbox,
  jobs: Jobs,
  elapsedMs: () => number = () => 0,
) {
  const { gate = openGate, now = Date.now, random = Math.random, onEvent = () => {} } = means;
  const { runId, model, fallbackModel, system, effort, tools, workspace, limits } = header;
  const { beforeCall = [], afterCall: afterCalls = [] } = means.hooks ?? {};
  const modelOf = (fallback: boolean) => (fallback ? fallbackModel : null) ?? model;
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
  const redact = redactorOf(means);
  const session = new Session();
  const policy = session.over(means.policy ?? askForEffects);
  const context = {
    workspace,
    sandbox: means.sandbox ?? localSandbox(),
    finishedCalls: () => log.transcript.finishedCalls,
  };
  return {
    askModel: jobs.define(
      askModel({
        client: means.client,
        requestOf: (input) => requestOf(input, input.maxOutputTokens),
        idleTimeoutMs: means.idleTimeoutMs,
        maxRetryWaitMs: means.maxRetryWaitMs,
        prices: means.prices,
        log,
        gate,
        random,
        onText: (text) => onEvent({ type: 'text', text }),
        onWithdrawn: () => onEvent({ type: 'text.withdrawn' }),
      }),
    ),
    measurePrompt: jobs.define(
      measurePrompt({
        client: means.client,
        requestOf: (input) => requestOf(input, input.wanted),
        priceOf: ({ fallback, wanted }, inputTokens) =>
          dearestPrice(modelOf(fallback), inputTokens + wanted, means.prices),
        log,
      }),
    ),
    watchClock: jobs.define(watchClock(elapsedMs)),
    waitBeforeRetry: jobs.define(waitBeforeRetry(gate)),
    appendJournal: jobs.define(appendJournal(log)),
    reviewCalls: jobs.define(
      reviewCalls({
        toolbox,
        policy,
        run: { runId, workspace },
        maxCallsByTool: limits.maxCallsByTool ?? {},
        beforeCall,
        log,
        gate,
        redact,
      }),
    ),
    awaitApproval: jobs.define(
      awaitApproval({
        approver: means.approver ?? nobody('with a policy or an approver'),
        policy,
        session,
        run: { runId, workspace },
        redact,
        log,
        gate,
      }),
    ),
    executeTools: jobs.define(
      executeTools({
        toolbox,
        context,
        log,
        gate,
        now,
        redact,
        afterCall: afterCall(afterCalls, { runId, workspace }, gate, redact),
      }),
    ),
  };
}
