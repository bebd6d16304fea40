/**
 * The task: what stands around the loop. The loop is one of its jobs; what happens before it and behind it is decided here.
 *
 *     beginning ─▶ working ──loop.ended──▶ verifying ──check.finished──▶ verified
 *         │         ▲   ▲                     │   │
 *         │         │   └──── repairing ◀─────┘   └─▶ unverified
 *         ▼         │
 *     classifying ─▶ researching ─▶ screening        (the gates: only where they are asked for)
 *         │             ▲──────────────┘ │
 *         ▼                              ▼
 *     needs_clarification             rejected
 *
 * A gate asks a rule, not a model: the job computes the verdict and the edge follows it. `working` goes on to a check only from
 * an answer; whatever else ended the loop ends the task (`stopped`). Only a check that passed leads to `verified`, and between
 * the two nothing runs. Each repair is counted before it begins, so that there are no more of them than the limit says.
 *
 * A cancel and the clock are no events of this machine: they reach the job that runs, which ends in order and reports it.
 */
import { assign, fromCallback, setup } from 'xstate';
import type { StopCalls } from './events.ts';
import {
  initialTask,
  TASK_STATUSES,
  type TaskContext,
  type TaskEvent,
  type TaskInput,
  type TaskJobInputs,
  type TaskJobName,
  type TaskStatus,
  taskGuards,
  taskUpdates,
} from './task.ts';

/** Typed like the jobs of the loop, so that one hand can make both. */
const job = <Name extends TaskJobName>(name: Name) =>
  fromCallback<StopCalls, TaskJobInputs[Name]>(() => {
    throw new Error(
      `${name}: not provided. Give the task machine its jobs with taskMachine.provide({ actors }).`,
    );
  });

/** One final state for each task status, named like it. */
const terminalStates = Object.fromEntries(
  Object.entries(TASK_STATUSES).map(([status, description]) => [status, { type: 'final', description }]),
) as Record<TaskStatus, { type: 'final'; description: string }>;

export const taskMachine = setup({
  types: {} as { context: TaskContext; events: TaskEvent; input: TaskInput },
  actors: {
    classifyTask: job('classifyTask'),
    runLoop: job('runLoop'),
    screenPlan: job('screenPlan'),
    verifyTask: job('verifyTask'),
    startRepair: job('startRepair'),
  },
  guards: taskGuards,
  actions: {
    noteStop: assign(taskUpdates.noteStop),
    noteLoss: assign(taskUpdates.noteLoss),
    countRevision: assign(taskUpdates.countRevision),
    countCheck: assign(taskUpdates.countCheck),
    notePass: assign(taskUpdates.notePass),
    noteFailure: assign(taskUpdates.noteFailure),
    countRepair: assign(taskUpdates.countRepair),
    takeMaxRepairs: assign(taskUpdates.takeMaxRepairs),
  },
}).createMachine({
  id: 'task',
  context: ({ input }) => initialTask(input),
  options: { maxIterations: 100 },
  initial: 'beginning',
  on: {
    'record.failed': {
      target: '.stopped',
      actions: 'noteLoss',
      description: 'What could not be saved is not acted on.',
    },
    'run.resumed': { actions: 'takeMaxRepairs', description: 'The state and its job begin anew.' },
  },
  states: {
    beginning: {
      description: 'Where there are no gates, the work begins; where there is an answer, its check.',
      always: [
        { guard: 'isToBeChecked', target: 'verifying' },
        { guard: 'isGated', target: 'classifying' },
        { target: 'working' },
      ],
    },
    classifying: {
      description: 'A rule looks at the task: is it clear enough to be worked on?',
      invoke: { src: 'classifyTask', input: () => ({}) },
      on: {
        'task.classified': [{ guard: 'isUnclear', target: 'needs_clarification' }, { target: 'researching' }],
      },
    },
    researching: {
      description: 'The loop runs without effects and answers with a plan.',
      invoke: {
        src: 'runLoop',
        input: ({ context: { revisions, repairs } }) => ({ stage: 'researching', revisions, repairs }),
      },
      on: {
        'loop.ended': [
          { guard: 'hasAnswer', target: 'screening' },
          { target: 'stopped', actions: 'noteStop' },
        ],
      },
    },
    screening: {
      description: 'A rule looks at the plan: may it be carried out?',
      invoke: { src: 'screenPlan', input: ({ context: { revisions } }) => ({ revisions }) },
      on: {
        'plan.screened': [
          { guard: 'isAccepted', target: 'working' },
          { guard: 'canRevise', target: 'researching', actions: 'countRevision' },
          { target: 'rejected' },
        ],
      },
    },
    working: {
      description: 'The loop runs: it does the task, or mends what the check found.',
      invoke: {
        src: 'runLoop',
        input: ({ context: { revisions, repairs } }) => ({ stage: 'working', revisions, repairs }),
      },
      on: {
        'loop.ended': [
          { guard: 'hasAnswerToCheck', target: 'verifying' },
          { guard: 'hasAnswer', target: 'answered' },
          { target: 'stopped', actions: 'noteStop' },
        ],
      },
    },
    verifying: {
      description: 'The check runs. It may be repeated at any time, so an interrupted one is.',
      invoke: { src: 'verifyTask', input: ({ context }) => ({ attempt: context.checks + 1 }) },
      on: {
        'check.finished': [
          { guard: 'hasStopped', target: 'stopped', actions: ['countCheck', 'noteStop'] },
          { guard: 'hasPassed', target: 'verified', actions: ['countCheck', 'notePass'] },
          {
            guard: 'canRepair',
            target: 'repairing',
            actions: ['countCheck', 'noteFailure', 'countRepair'],
          },
          { target: 'unverified', actions: ['countCheck', 'noteFailure'] },
        ],
      },
    },
    repairing: {
      description: 'What the check found is written down as what the model is told next.',
      invoke: {
        src: 'startRepair',
        input: ({ context: { repairs, maxRepairs } }) => ({ repair: repairs, maxRepairs: maxRepairs ?? 0 }),
      },
      on: { 'repair.started': { target: 'working' } },
    },
    ...terminalStates,
  },
});
