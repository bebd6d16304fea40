/** The task machine: one row for each declared transition, what must not happen, and every path in worlds of some limits. */
import { describe, expect, it } from 'vitest';
import { createActor, fromCallback, getInitialSnapshot, transition } from 'xstate';
import { missingImplementations } from '../../machines/check.ts';
import { describeEdge, describeMachine } from '../../machines/describe.ts';
import { joblessTask, resumableTask } from '../../machines/resume.ts';
import { END_STATUSES } from '../../machines/status.ts';
import { taskMachine } from '../../machines/task.machine.ts';
import {
  initialTask,
  repairInstruction,
  runStatusOf,
  TASK_STATUSES,
  type TaskContext,
  type TaskEvent,
  type TaskInput,
  taskGuards,
  taskUpdates,
} from '../../machines/task.ts';

type Before = Partial<TaskContext>;
type Row = readonly [
  from: string,
  before: Before,
  event: TaskEvent | null,
  guard: string | null,
  to: string,
  change: Before,
];

const ANSWERED: TaskEvent = { type: 'loop.ended', stop: { status: 'answered' } };
const LIMITED: TaskEvent = { type: 'loop.ended', stop: { status: 'max_turns' } };
const PASSED: TaskEvent = { type: 'check.finished', passed: true, stop: null };
const FAILED: TaskEvent = { type: 'check.finished', passed: false, stop: null };
const CANCELLED: TaskEvent = {
  type: 'check.finished',
  passed: false,
  stop: { status: 'cancelled', signal: 'SIGTERM' },
};
const screened = (screening: 'accepted' | 'to_be_revised' | 'rejected'): TaskEvent => ({
  type: 'plan.screened',
  screening,
});
const clear = (isClear: boolean): TaskEvent => ({ type: 'task.classified', isClear });
const UNSAVED: TaskEvent = { type: 'record.failed', message: 'full' };
const GATED = { maxRevisions: 1 };

const ROWS: readonly Row[] = [
  ['beginning', { isAnswered: true, maxRepairs: 0 }, null, 'isToBeChecked', 'verifying', { checks: 0 }],
  ['beginning', GATED, null, 'isGated', 'classifying', {}],
  ['beginning', { isAnswered: true }, null, null, 'working', {}],
  ['classifying', GATED, clear(false), 'isUnclear', 'needs_clarification', {}],
  ['classifying', GATED, clear(true), null, 'researching', {}],
  ['researching', GATED, ANSWERED, 'hasAnswer', 'screening', { stop: null }],
  ['researching', GATED, LIMITED, null, 'stopped', { stop: { status: 'max_turns' } }],
  ['screening', GATED, screened('accepted'), 'isAccepted', 'working', {}],
  ['screening', GATED, screened('to_be_revised'), 'canRevise', 'researching', { revisions: 1 }],
  ['screening', { ...GATED, revisions: 1 }, screened('to_be_revised'), null, 'rejected', { revisions: 1 }],
  ['working', { maxRepairs: 0 }, ANSWERED, 'hasAnswerToCheck', 'verifying', { stop: null }],
  ['working', {}, ANSWERED, 'hasAnswer', 'answered', { stop: null, verified: null }],
  ['working', { maxRepairs: 2 }, LIMITED, null, 'stopped', { stop: { status: 'max_turns' } }],
  [
    'verifying',
    { maxRepairs: 2 },
    CANCELLED,
    'hasStopped',
    'stopped',
    { checks: 1, verified: null, stop: { status: 'cancelled', signal: 'SIGTERM' } },
  ],
  ['verifying', { maxRepairs: 2, verified: false }, PASSED, 'hasPassed', 'verified', { verified: true }],
  [
    'verifying',
    { maxRepairs: 2, repairs: 1 },
    FAILED,
    'canRepair',
    'repairing',
    { checks: 1, repairs: 2, verified: false },
  ],
  [
    'verifying',
    { maxRepairs: 2, repairs: 2, checks: 2 },
    FAILED,
    null,
    'unverified',
    { checks: 3, repairs: 2, verified: false },
  ],
  ['repairing', { maxRepairs: 2, repairs: 1 }, { type: 'repair.started' }, null, 'working', { repairs: 1 }],
  ['task', {}, UNSAVED, null, 'stopped', { stop: { status: 'journal_error' } }],
  ['task', {}, { type: 'run.resumed', maxRepairs: 3 }, null, 'working', { maxRepairs: 3 }],
];

const contextOf = (before: Before): TaskContext => ({ ...initialTask({ maxRepairs: null }), ...before });
const snapshotOf = (value: string, before: Before = {}) =>
  taskMachine.resolveState({ value: value as never, context: contextOf(before) });

/** The first step alone, and the edge that was taken. `beginning` is left at once, so it is entered for it. */
function take([from, before, event]: Row) {
  const edges: string[] = [];
  const settled: { value: unknown; context: TaskContext }[] = [];
  const place = from === 'task' ? 'working' : from;
  const actor = createActor(joblessTask, {
    input: { maxRepairs: null },
    snapshot: joblessTask.resolveState({ value: place as never, context: contextOf(before) }),
    inspect: (seen) => {
      if (seen.type !== '@xstate.microstep' || seen._transitions.length === 0) return;
      edges.push(...seen._transitions.map((edge) => keyOf(describeEdge(edge))));
      settled.push(seen.snapshot as never);
    },
  }).start();
  // An event that nobody handles makes the machine look for `always` edges.
  actor.send(event ?? clear(true));
  const [first = actor.getSnapshot()] = settled;
  return { edge: edges[0], value: first.value, context: first.context };
}

const keyOf = ({ source, event, order }: ReturnType<typeof describeEdge>) => `${source}: ${event} #${order}`;

describe('a transition of the task', () => {
  it.each(
    ROWS.map((row) => [`${row[0]}: ${row[2]?.type ?? 'always'} [${row[3]}] goes to ${row[4]}`, row] as const),
  )('%s', (_, row) => {
    const [, , , guard, to, change] = row;
    const { edge, value, context } = take(row);
    expect(value).toBe(to);
    expect(context).toMatchObject(change);
    const found = describeMachine(taskMachine).edges.find((one) => keyOf(one) === edge);
    expect(found?.guard).toBe(guard);
  });

  it('is in the table, whichever is declared', () => {
    const declared = describeMachine(taskMachine).edges.map(keyOf);
    expect([...new Set(ROWS.map((row) => take(row).edge))].sort()).toEqual(declared.sort());
  });
});

describe('an event that a state does not handle', () => {
  const states = describeMachine(taskMachine).states.filter(({ type }) => type === 'atomic');
  const handled = (state: string, type: string) =>
    describeMachine(taskMachine).edges.some(({ source, event }) => source === state && event === type);

  it.each(states.filter(({ name }) => name !== 'beginning').map(({ name }) => name))(
    'changes nothing in %s',
    (state) => {
      for (const event of [
        ANSWERED,
        PASSED,
        clear(true),
        screened('accepted'),
        { type: 'repair.started' } as const,
      ]) {
        if (handled(state, event.type)) continue;
        const before = snapshotOf(state);
        expect(
          taskMachine.transition(
            before,
            event,
            createActor(taskMachine, { input: { maxRepairs: null } }) as never,
          ),
        ).toBe(before);
      }
    },
  );

  it('changes nothing behind an end', () => {
    for (const state of Object.keys(TASK_STATUSES)) {
      const [next] = transition(joblessTask, { ...snapshotOf(state), status: 'done' } as never, ANSWERED);
      expect(next.value).toBe(state);
    }
  });
});

/** Every way that a task can go: all that a job may say in each state. */
const WORDS: Readonly<Record<string, readonly TaskEvent[]>> = {
  classifying: [clear(true), clear(false)],
  researching: [ANSWERED, LIMITED],
  screening: [screened('accepted'), screened('to_be_revised'), screened('rejected')],
  working: [ANSWERED, LIMITED],
  verifying: [PASSED, FAILED, CANCELLED],
  repairing: [{ type: 'repair.started' }],
};

type Path = readonly { readonly state: string; readonly event: TaskEvent }[];

/** All paths from the beginning to an end. An endless one would never return: the depth says so. */
function pathsOf(input: TaskInput): { path: Path; end: string; context: TaskContext }[] {
  const found: { path: Path; end: string; context: TaskContext }[] = [];
  const walk = (snapshot: ReturnType<typeof getInitialSnapshot<typeof joblessTask>>, path: Path): void => {
    if (path.length > 40) throw new Error(`no end: ${JSON.stringify(path)}`);
    const state = snapshot.value as string;
    if (snapshot.status === 'done') {
      found.push({ path, end: state, context: snapshot.context });
      return;
    }
    for (const event of [...(WORDS[state] ?? []), UNSAVED])
      walk(transition(joblessTask, snapshot, event)[0], [...path, { state, event }]);
  };
  walk(getInitialSnapshot(joblessTask, input), []);
  return found;
}

const count = (path: Path, state: string): number => path.filter((step) => step.state === state).length;

describe.each<[string, TaskInput]>([
  ['no check', { maxRepairs: null }],
  ['a check without repairs', { maxRepairs: 0 }],
  ['three repairs', { maxRepairs: 3 }],
  ['gates and no check', { maxRepairs: null, gates: { maxRevisions: 2 } }],
  ['gates and two repairs', { maxRepairs: 2, gates: { maxRevisions: 1 } }],
  ['an answer that is to be checked again', { maxRepairs: 2, isAnswered: true, checks: 4 }],
])('every path of a task with %s', (_, input) => {
  const paths = pathsOf(input);

  it('ends in a task status', () => {
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter(({ end }) => !(end in TASK_STATUSES))).toEqual([]);
  });

  it('repairs no more often than it may, and some path as often', () => {
    const repairs = paths.map(({ path }) => count(path, 'repairing'));
    expect(Math.max(...repairs)).toBe(input.maxRepairs ?? 0);
    const revisions = paths.map(({ path }) => Math.max(0, count(path, 'researching') - 1));
    expect(Math.max(...revisions)).toBe(input.gates?.maxRevisions ?? 0);
  });

  it('calls nothing verified unless a check passed and nothing was done since', () => {
    for (const { path, end, context } of paths) {
      const last = path.at(-1);
      const passedLast = last?.state === 'verifying' && last.event === PASSED;
      expect(end === 'verified').toBe(passedLast);
      expect(context.verified === true).toBe(end === 'verified');
    }
  });

  it('counts each check, and works without effects until the plan was accepted', () => {
    for (const { path, context } of paths) {
      const checked = path.filter(({ state, event }) => state === 'verifying' && event !== UNSAVED).length;
      expect(context.checks).toBe((input.checks ?? 0) + checked);
      if (input.gates && count(path, 'working') > 0) {
        const accepted = path.findIndex(
          ({ event }) => event.type === 'plan.screened' && event.screening === 'accepted',
        );
        const worked = path.findIndex(({ state }) => state === 'working');
        expect(accepted).toBeGreaterThan(0);
        expect(accepted).toBeLessThan(worked);
      }
    }
  });
});

it('together the paths reach every task status', () => {
  const ends = [
    ...pathsOf({ maxRepairs: null }),
    ...pathsOf({ maxRepairs: 1, gates: { maxRevisions: 0 } }),
  ].map(({ end }) => end);
  expect([...new Set(ends)].sort()).toEqual(Object.keys(TASK_STATUSES).sort());
});

describe('task statuses', () => {
  it('are the terminal states of the machine, described by their meaning', () => {
    const terminal = describeMachine(taskMachine).states.filter(({ type }) => type === 'final');
    expect(Object.fromEntries(terminal.map(({ name, description }) => [name, description]))).toEqual(
      TASK_STATUSES,
    );
  });

  it.each([
    ['answered', 'answered'],
    ['verified', 'answered'],
    ['unverified', 'unverified'],
    ['stopped', 'stuck'],
    ['working', null],
    ['rejected', null],
  ])('%s is, for a run, %s', (state, status) => {
    expect(runStatusOf(state, contextOf({ stop: { status: 'stuck' } }))).toBe(status);
    if (status !== null) expect(status in END_STATUSES).toBe(true);
  });

  it('a stop that nobody has named is no end', () => {
    expect(runStatusOf('stopped', contextOf({}))).toBeNull();
  });
});

describe('the jobs of the task', () => {
  it('are all named, and the stubs say that they were not provided', () => {
    expect(missingImplementations(taskMachine)).toEqual([]);
    const actor = createActor(taskMachine, { input: { maxRepairs: null } });
    const errors: unknown[] = [];
    actor.subscribe({ error: (error) => errors.push(error) });
    actor.start();
    expect(String(errors[0])).toContain('runLoop: not provided');
  });

  it.each<[string, string, Before, object]>([
    ['runLoop', 'researching', { revisions: 1 }, { stage: 'researching', revisions: 1, repairs: 0 }],
    ['runLoop', 'working', { repairs: 2 }, { stage: 'working', revisions: 0, repairs: 2 }],
    ['classifyTask', 'classifying', {}, {}],
    ['screenPlan', 'screening', { revisions: 1 }, { revisions: 1 }],
    ['verifyTask', 'verifying', { checks: 2 }, { attempt: 3 }],
    ['startRepair', 'repairing', { repairs: 1, maxRepairs: 2 }, { repair: 1, maxRepairs: 2 }],
    ['startRepair', 'repairing', { repairs: 1 }, { repair: 1, maxRepairs: 0 }],
  ])('%s begins anew where the task is taken up in %s', (name, state, before, input) => {
    const given: unknown[] = [];
    const machine = taskMachine.provide({
      actors: { [name]: fromCallback(({ input: found }) => void given.push(found)) },
    });
    createActor(machine, {
      input: { maxRepairs: null },
      snapshot: resumableTask(snapshotOf(state, before)),
    }).start();
    expect(given).toEqual([input]);
  });
});

it('a guard or a change that meets another kind of event, or no such limit, says no and changes nothing', () => {
  const context = contextOf({});
  const event: TaskEvent = UNSAVED;
  expect(Object.entries(taskGuards).filter(([, holds]) => holds({ context, event }))).toEqual([]);
  expect(taskGuards.canRevise({ context, event: screened('to_be_revised') })).toBe(false);
  expect(taskUpdates.noteStop({ context, event })).toEqual({});
  expect(taskUpdates.takeMaxRepairs({ context, event })).toEqual({});
});

it('a context is plain JSON in every state', () => {
  for (const { context } of pathsOf({ maxRepairs: 1, gates: { maxRevisions: 1 } }))
    expect(JSON.parse(JSON.stringify(context))).toEqual(context);
});

it('what the model is told of a failed check names the command, what it printed, and how many corrections there are', () => {
  const said = repairInstruction('npm test', 'exit_code=1\nexpected 5, got -1\n\n', 1, 2);
  expect(said).toContain('$ npm test\nexit_code=1\nexpected 5, got -1\nFind the cause');
  expect(said).toContain('(correction 1 of 2)');
});
