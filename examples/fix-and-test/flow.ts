/**
 * The whole way of a task as a machine: pawl's task machine with gates of our own, and the loop as its child.
 *
 *     classifying ─▶ researching ─▶ screening ─▶ working ─▶ verifying ─▶ verified
 *          │              ▲────────────┘ │          ▲            │ └─▶ unverified
 *          ▼                             ▼          └─ repairing ◀┘
 *   needs_clarification               rejected
 *
 * The gates are rules, so that nobody can talk them round; only the work between them is the model's.
 */
import { execFile } from 'node:child_process';
import { createActor, fromCallback } from 'xstate';
import {
  builtinTools,
  type ModelClient,
  type RunOutcome,
  repairInstruction,
  resume,
  rulesPolicy,
  run,
  type StopCalls,
  type TaskEvent,
  type TaskJobInputs,
  type TaskJobName,
  type TaskStatus,
  type Tool,
  taskMachine,
} from '../../src/index.ts';

const SYSTEM =
  'You mend code. First make a plan that names the files you want to change, and change nothing. When you are told to carry it out, do so.';
const CHECK = ['-B', '-m', 'unittest'];
const CHECK_TIMEOUT_MS = 60_000;
/** Files that may be changed. */
const OPEN = ['app.py'];

export interface Flow {
  readonly task: string;
  readonly workspace: string;
  readonly client: ModelClient;
  readonly model: string;
  readonly maxRepairs?: number;
  readonly maxRevisions?: number;
  readonly onState?: (state: string) => void;
}

export interface FlowEnd {
  readonly status: TaskStatus;
  /** Of the last loop; undefined: no model was asked. */
  readonly outcome: RunOutcome | undefined;
}

/** A task is clear if it says what it is about: a file, or a function. */
export const isClear = (task: string): boolean => /\b[\w-]+\.\w+\b|\b\w+\(\)/.test(task);

/** A plan must name what it changes, and may name nothing that is closed. */
export function screen(plan: string): { screening: 'accepted' | 'to_be_revised' | 'rejected'; told: string } {
  const files = plan.match(/[\w./-]+\.[a-z]+\b/g) ?? [];
  if (files.some((file) => !OPEN.includes(file))) return { screening: 'rejected', told: '' };
  return files.length === 0
    ? { screening: 'to_be_revised', told: 'Your plan must name the file that it changes.' }
    : { screening: 'accepted', told: 'Carry the plan out.' };
}

type Send = (event: TaskEvent) => void;
const job = <Name extends TaskJobName>(
  fail: (error: unknown) => void,
  work: (input: TaskJobInputs[Name], send: Send) => Promise<void> | void,
) =>
  fromCallback<StopCalls, TaskJobInputs[Name]>(({ input, sendBack }) => {
    Promise.resolve(work(input, sendBack)).catch(fail);
  });

export async function playFlow(flow: Flow): Promise<FlowEnd> {
  const { task, workspace, client, model, maxRepairs = 2, maxRevisions = 1, onState = () => {} } = flow;
  const { default: own } = (await import(new URL('tools.mjs', import.meta.url).href)) as { default: Tool[] };
  const tools = [...builtinTools().filter(({ name }) => ['read_file', 'write_file'].includes(name)), ...own];
  const allow = ['run_tests', ...OPEN.map((file) => `write_file(./${file})`)];
  const policies = {
    researching: rulesPolicy({ mode: 'plan' }),
    working: rulesPolicy({ mode: 'deny', allow }),
  };
  let outcome: RunOutcome | undefined;
  /** What the model is told when the loop begins anew. */
  let instruction = '';

  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      actor.stop();
      reject(error);
    };
    const machine = taskMachine.provide({
      actors: {
        classifyTask: job<'classifyTask'>(fail, (_, send) =>
          send({ type: 'task.classified', isClear: isClear(task) }),
        ),
        runLoop: job<'runLoop'>(fail, async ({ stage }, send) => {
          const means = { client, tools, policy: policies[stage] };
          outcome = outcome
            ? await resume(outcome.runId, { ...means, instruction })
            : await run({ ...means, task, model, workspace, system: SYSTEM, limits: { maxTurns: 8 } });
          const { status } = outcome;
          if (status === 'suspended' || status === 'unverified') throw new Error(`a loop ended as ${status}`);
          send({ type: 'loop.ended', stop: { status } });
        }),
        screenPlan: job<'screenPlan'>(fail, (_, send) => {
          const { screening, told } = screen(outcome?.result ?? '');
          instruction = told;
          send({ type: 'plan.screened', screening });
        }),
        verifyTask: job<'verifyTask'>(fail, async ({ attempt }, send) => {
          const { passed, printed } = await check(workspace);
          instruction = repairInstruction(`python3 ${CHECK.join(' ')}`, printed, attempt, maxRepairs);
          send({ type: 'check.finished', passed, stop: null });
        }),
        startRepair: job<'startRepair'>(fail, (_, send) => send({ type: 'repair.started' })),
      },
    });
    const actor = createActor(machine, { input: { maxRepairs, gates: { maxRevisions } } });
    actor.subscribe({
      next: ({ value }) => onState(String(value)),
      error: reject,
      complete: () => resolve({ status: actor.getSnapshot().value as TaskStatus, outcome }),
    });
    actor.start();
  });
}

/** The tests, by ourselves: what the model says of them counts for nothing here. */
const check = (workspace: string): Promise<{ passed: boolean; printed: string }> =>
  new Promise((resolve) => {
    const limits = { cwd: workspace, timeout: CHECK_TIMEOUT_MS };
    execFile('python3', CHECK, limits, (error, stdout, stderr) =>
      resolve({ passed: error === null, printed: stdout + stderr }),
    );
  });
