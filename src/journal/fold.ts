import { createActor, fromCallback, type Snapshot, type SnapshotFrom } from 'xstate';
import type { JobInputs, JobName } from '../../machines/context.ts';
import type { StopCalls } from '../../machines/events.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { resumable } from '../../machines/resume.ts';
import { replay } from './codec.ts';
import type { JournalRecord, RunStarted } from './record.ts';
import { Transcript } from './transcript.ts';

/** A job that does nothing: the records say what it did. */
const inert = <Name extends JobName>() => fromCallback<StopCalls, JobInputs[Name]>(() => {});
const foldingMachine = loopMachine.provide({
  actors: {
    askModel: inert<'askModel'>(),
    waitBeforeRetry: inert<'waitBeforeRetry'>(),
    appendJournal: inert<'appendJournal'>(),
    reviewCalls: inert<'reviewCalls'>(),
    awaitApproval: inert<'awaitApproval'>(),
    executeTools: inert<'executeTools'>(),
  },
});

export interface Folded {
  readonly header: RunStarted;
  readonly snapshot: SnapshotFrom<typeof loopMachine>;
  readonly transcript: Transcript;
  /** Plain JSON, to start a machine with: from anything else its jobs would start without their input. */
  readonly persisted: Snapshot<unknown>;
}

/** The state of a run, from its records alone. The first one must be run.started. */
export function foldRecords(records: readonly JournalRecord[]): Folded {
  const [header, ...rest] = records;
  if (header?.type !== 'run.started') throw new Error('the records do not begin with run.started');
  const transcript = new Transcript();
  transcript.apply(header);
  const actor = createActor(foldingMachine, { input: { limits: header.limits } }).start();
  rest.forEach((record, index) => {
    replay(actor, record, transcript.usedIds, rest[index + 1]);
    transcript.apply(record);
  });
  const snapshot = actor.getSnapshot();
  return { header, snapshot, transcript, persisted: resumable(snapshot) };
}
