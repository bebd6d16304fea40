import {
  type AnyStateMachine,
  createMachine,
  type Snapshot,
  type SnapshotFrom,
  type StateValue,
} from 'xstate';
import { type Carried, type LoopContext, nextPlace } from './context.ts';
import { loopMachine } from './loop.machine.ts';
import { taskMachine } from './task.machine.ts';

/** Where a machine stands. */
interface Place {
  readonly value: StateValue;
  readonly context: object;
}
interface Node {
  readonly invoke?: unknown;
  readonly states?: Readonly<Record<string, Node>>;
}

/** The loop without its jobs: the same states, edges and context. Records say what the jobs did. */
export const joblessLoop = createMachine(withoutJobs(loopMachine.config as Node), {
  ...loopMachine.implementations,
  actions: { ...loopMachine.implementations.actions, stopCalls: () => {} },
} as object) as unknown as typeof loopMachine;

/** The task without its jobs. */
export const joblessTask = createMachine(withoutJobs(taskMachine.config as Node), {
  ...taskMachine.implementations,
} as object) as unknown as typeof taskMachine;

function withoutJobs({ invoke: _, states, ...node }: Node): object {
  if (states === undefined) return node;
  const inside = Object.entries(states).map(([name, state]) => [name, withoutJobs(state)] as const);
  return { ...node, states: Object.fromEntries(inside) };
}

/**
 * The plain JSON from which `createActor` goes on in this state. The state's job gets its input as of now: what xstate
 * persists is the input from when the state was entered, and by it calls that have run or been decided since would be
 * run or asked about again.
 */
export const resumable = (snapshot: Pick<SnapshotFrom<typeof loopMachine>, 'value' | 'context'>) =>
  persisted(loopMachine, snapshot);
export const resumableTask = (snapshot: Pick<SnapshotFrom<typeof taskMachine>, 'value' | 'context'>) =>
  persisted(taskMachine, snapshot);

function persisted(machine: AnyStateMachine, { value, context }: Place): Snapshot<unknown> {
  const snapshot = machine.resolveState({ value, context });
  const jobs = snapshot._nodes
    .flatMap(({ invoke }) => invoke)
    .map(({ id, src, input }) => {
      const inputOf = input as (scope: { context: object }) => unknown;
      return [id, { src, snapshot: { status: 'active', input: inputOf({ context }) } }];
    });
  const whole = { ...machine.getPersistedSnapshot(snapshot), children: Object.fromEntries(jobs) };
  return JSON.parse(JSON.stringify(whole)) as Snapshot<unknown>;
}

/**
 * What a run that has ended takes along when it is taken up again. A terminal state is final, so the machine is started
 * anew, in `asking`; a new stretch may have a summary of its own, and what had repeated itself is forgotten.
 * @param endsInPause the history ends in a reply that the service wants sent back as it is: its turn goes on
 */
export function carry(context: LoopContext, endsInPause: boolean): Carried {
  const { usage, costUsd, unsettled, summaryTries, counters } = context;
  return {
    ...nextPlace(context),
    pauses: endsInPause ? 1 : 0,
    usage,
    costUsd,
    unsettled,
    summaryTries,
    counters: { ...counters, summaries: 0 },
  };
}
