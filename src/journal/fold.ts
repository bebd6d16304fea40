import { type Actor, createActor, type Snapshot, type SnapshotFrom } from 'xstate';
import type { LoopInput } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { loopMachine } from '../../machines/loop.machine.ts';
import { carry, joblessLoop, joblessTask, resumable, resumableTask } from '../../machines/resume.ts';
import { stateName } from '../../machines/state-name.ts';
import type { RunStatus, StopStatus } from '../../machines/status.ts';
import type { taskMachine } from '../../machines/task.machine.ts';
import { runStatusOf, type TaskEvent, type TaskInput } from '../../machines/task.ts';
import { lead, replay, type Told } from './codec.ts';
import type { FoldedState, KeptState } from './journal.ts';
import type { Check, JournalRecord, RecordBody, RunResumed, RunStarted } from './record.ts';
import { Transcript } from './transcript.ts';

type FoldingTask = Actor<typeof taskMachine>;
/** Is shown each event before the loop gets it, and the state that it meets. */
export type Look = (event: LoopEvent, snapshot: SnapshotFrom<typeof loopMachine>) => void;
/** Begins the loop: as an actor without jobs, or as whatever goes the same way. */
type Begin = (input: LoopInput) => Told;

/** The state of a run, from its records alone: the machines, the loop and the task around it, are told each of them in turn. */
export class Fold {
  /** With the limits, the check and the workspace that count now. */
  header: RunStarted;
  readonly transcript = new Transcript();
  #machine: Told;
  #task: FoldingTask;

  constructor(
    started: RunStarted,
    private readonly look: Look = () => {},
    kept?: FoldedState,
    private readonly begin: Begin = start,
  ) {
    this.header = started;
    this.transcript.apply(started);
    this.#machine = kept ? startAt(kept) : begin({ limits: started.limits });
    this.#task = kept ? startTaskAt(kept) : startTask(taskOf(started.check));
  }

  /** A record that is in the kept state: it is not told to the machines again. */
  know(record: RecordBody): void {
    if (record.type === 'run.resumed') this.#header(record);
    this.transcript.apply(record);
  }

  /** Of the loop. */
  get snapshot(): SnapshotFrom<typeof loopMachine> {
    return this.#machine.getSnapshot();
  }

  get task(): SnapshotFrom<typeof taskMachine> {
    return this.#task.getSnapshot();
  }

  /** How the run has ended; null: it has not. */
  get status(): RunStatus | null {
    return runStatusOf(this.task.value as string, this.task.context);
  }

  /** Full name of the state that the run is in: the loop's while it runs, else the task's, else the status. */
  get state(): string {
    const { value } = this.task;
    return this.status ?? (value === 'working' ? stateName(this.snapshot.value) : stateName(value));
  }

  /** Plain JSON, to start a machine with: from anything else its jobs would start without their input. */
  get persisted(): Snapshot<unknown> {
    return resumable(this.snapshot);
  }

  get persistedTask(): Snapshot<unknown> {
    return resumableTask(this.task);
  }

  readonly #told = {
    getSnapshot: () => this.snapshot,
    send: (event: LoopEvent) => {
      this.look(event, this.snapshot);
      this.#machine.send(event);
    },
  };

  /** As far as a record that comes shows what was before it. */
  expect(record: RecordBody): void {
    lead(this.#told, record);
  }

  /** @param next the record after this one, if there is one. @throws Error for records that make no sense */
  add(record: RecordBody, next?: RecordBody): void {
    if (record.type === 'run.resumed') this.takeUp(record);
    else if (record.type === 'check.finished') this.#tell(record);
    else if (record.type === 'repair.started') this.#repair(record);
    else replay(this.#told, record, this.transcript.usedIds, next);
    const { status, error, value } = this.snapshot;
    if (status === 'error') throw error;
    if (status === 'done' && this.task.matches('working'))
      this.#task.send({ type: 'loop.ended', stop: { status: value as StopStatus } });
    this.transcript.apply(record);
  }

  #header({ limits, check, workspace, pawl }: RunResumed): void {
    this.header = { ...this.header, limits, workspace, pawl, ...(check && { check }) };
  }

  /** A task that has ended listens no more; the replay check tells of it. */
  #tell(event: TaskEvent): void {
    if (this.task.status === 'active') this.#task.send(event);
  }

  #repair(record: Extract<RecordBody, { type: 'repair.started' }>): void {
    if (!this.task.matches('repairing')) return;
    this.#task.send(record);
    this.#restart();
  }

  /** A loop that has ended gets a machine of its own to go on with. */
  #restart(): void {
    const carried = carry(this.snapshot.context, this.transcript.endsInPause);
    this.#machine = this.begin({ limits: this.header.limits, carried });
  }

  /**
   * A run that was under way goes on where it was; one that had ended gets machines of its own, unless nothing is wanted but
   * the check of its answer: then the loop stays as it ended. For the machines alone: whoever writes the record has told the
   * transcript already.
   */
  takeUp(record: RunResumed): void {
    this.#header(record);
    const { repairs = 0 } = record;
    const { check, limits } = this.header;
    const { status, value } = this.snapshot;
    const isAnswered = value === 'answered' && record.instruction === null && check !== undefined;
    if (status !== 'done') this.#machine.send({ type: 'run.resumed', limits });
    else if (!isAnswered) this.#restart();
    if (this.task.status === 'done' || (status === 'done' && !isAnswered))
      this.#task = startTask({ ...taskOf(check), isAnswered, checks: this.task.context.checks, repairs });
    else this.#task.send({ type: 'run.resumed', ...taskOf(check) });
  }
}

export const taskOf = (check: Check | undefined): Pick<TaskInput, 'maxRepairs'> => ({
  maxRepairs: check?.maxRepairs ?? null,
});

const start = (input: LoopInput): Told => running(createActor(joblessLoop, { input }));

const startTask = (input: TaskInput): FoldingTask => createActor(joblessTask, { input }).start();

const startAt = ({ value, context }: FoldedState): Told =>
  running(
    createActor(joblessLoop, {
      input: { limits: context.limits },
      snapshot: joblessLoop.resolveState({ value: value as never, context }),
    }),
  );

const startTaskAt = ({ task: context }: FoldedState): FoldingTask =>
  createActor(joblessTask, {
    input: { maxRepairs: null },
    snapshot: joblessTask.resolveState({ value: 'working', context }),
  }).start();

function running(machine: Actor<typeof loopMachine>): Told {
  // Unheard, an error of the machine would end the process; heard, it stays in the snapshot, and `add` throws it.
  machine.subscribe({ error: () => {} });
  return machine.start();
}

/** @param kept from the same pawl and these records. @throws Error unless the first record is run.started */
export function foldRecords(records: readonly JournalRecord[], kept?: KeptState): Fold {
  const [started] = records;
  if (started?.type !== 'run.started') throw new Error('the records do not begin with run.started');
  const fold = new Fold(started, undefined, kept);
  records.forEach((record, index) => {
    if (index === 0) return;
    if (kept !== undefined && record.seq <= kept.seq) fold.know(record);
    else fold.add(record, records[index + 1]);
  });
  return fold;
}
