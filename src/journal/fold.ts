import { type Actor, createActor, type Snapshot, type SnapshotFrom } from 'xstate';
import type { LoopInput } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { loopMachine } from '../../machines/loop.machine.ts';
import { carry, joblessLoop, resumable } from '../../machines/resume.ts';
import { lead, replay } from './codec.ts';
import type { FoldedState, KeptState } from './journal.ts';
import type { JournalRecord, RecordBody, RunResumed, RunStarted } from './record.ts';
import { Transcript } from './transcript.ts';

type Folding = Actor<typeof loopMachine>;
/** Is shown each event before the machine gets it, and the state that it meets. */
export type Look = (event: LoopEvent, snapshot: SnapshotFrom<typeof loopMachine>) => void;

/** The state of a run, from its records alone: the machine is told each of them in turn. */
export class Fold {
  /** With the limits and the workspace that count now. */
  header: RunStarted;
  readonly transcript = new Transcript();
  #machine: Folding;

  constructor(
    started: RunStarted,
    private readonly look: Look = () => {},
    kept?: FoldedState,
  ) {
    this.header = started;
    this.transcript.apply(started);
    this.#machine = kept ? startAt(kept) : start({ limits: started.limits });
  }

  /** A record that is in the kept state: it is not told to the machine again. */
  know(record: RecordBody): void {
    if (record.type === 'run.resumed') this.#header(record);
    this.transcript.apply(record);
  }

  get snapshot(): SnapshotFrom<typeof loopMachine> {
    return this.#machine.getSnapshot();
  }

  /** Plain JSON, to start a machine with: from anything else its jobs would start without their input. */
  get persisted(): Snapshot<unknown> {
    return resumable(this.snapshot);
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
    else replay(this.#told, record, this.transcript.usedIds, next);
    const { status, error } = this.snapshot;
    if (status === 'error') throw error;
    this.transcript.apply(record);
  }

  #header({ limits, workspace, pawl }: RunResumed): void {
    this.header = { ...this.header, limits, workspace, pawl };
  }

  /**
   * A run that was under way goes on where it was; one that had ended gets a machine of its own. For the machine alone:
   * whoever writes the record has told the transcript already.
   */
  takeUp(record: RunResumed): void {
    const { limits } = record;
    const { status, context } = this.snapshot;
    this.#header(record);
    if (status === 'done')
      this.#machine = start({ limits, carried: carry(context, this.transcript.endsInPause) });
    else this.#machine.send({ type: 'run.resumed', limits });
  }
}

const start = (input: LoopInput): Folding => running(createActor(joblessLoop, { input }));

const startAt = ({ value, context }: FoldedState): Folding =>
  running(
    createActor(joblessLoop, {
      input: { limits: context.limits },
      snapshot: joblessLoop.resolveState({ value: value as never, context }),
    }),
  );

function running(machine: Folding): Folding {
  // Unheard, an error of the machine would end the process; heard, it stays in the snapshot, and `add` throws it.
  machine.subscribe({ error: () => {} });
  return machine.start();
}

/** @param kept from the same pawl and these records. @throws Error unless the first record is run.started */
export function foldRecords(records: readonly JournalRecord[], kept?: KeptState): Fold {
  const [started, ...rest] = records;
  if (started?.type !== 'run.started') throw new Error('the records do not begin with run.started');
  const fold = new Fold(started, undefined, kept);
  rest.forEach((record, index) => {
    if (kept !== undefined && record.seq <= kept.seq) fold.know(record);
    else fold.add(record, rest[index + 1]);
  });
  return fold;
}
