/** What those who submit runs, the engine and its workers say to each other. Plain JSON. */
import { createHash } from 'node:crypto';
import { describeMachine } from '../../machines/describe.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import type { Usage } from '../../machines/protocol.ts';
import type { CancelSignal, RunStatus } from '../../machines/status.ts';
import { taskMachine } from '../../machines/task.machine.ts';
import type { RunOutcome } from '../outcome.ts';
import { VERSION } from '../version.ts';

/** A run that is wanted. */
export interface Submission {
  readonly task: string;
  /** Folder on the worker; null: one of the run's own. */
  readonly workspace: string | null;
  /** What the worker makes the run of, in the words of whoever serves it. */
  readonly options: { readonly [name: string]: unknown };
}

/** What came of a run. Its messages are in its records. */
export type Outcome = Omit<RunOutcome, 'messages'>;

/** A person's word on a call that waits. */
export interface CallDecision {
  readonly callId: string;
  /** Of the call as it was seen: it is bound to tool and input. */
  readonly fingerprint: string;
  readonly granted: boolean;
  /** For the model, with a denial. */
  readonly reason: string;
}

export interface Cancel {
  readonly signal: CancelSignal;
}

/** How far a run has come, for lists. */
export interface Glance {
  readonly task: string;
  readonly model: string;
  readonly workspace: string;
  /** null: it has not ended. 'internal_error': a defect ended it. 'rejected': no run could be made of what was submitted. */
  readonly status: RunStatus | 'internal_error' | 'rejected' | null;
  /** Calls wait for a person. */
  readonly isWaiting: boolean;
  readonly turns: number;
  readonly usage: Usage;
  readonly costUsd: number;
}

/** All of pawl's workflows have names that begin like this. */
export const WORKFLOWS = 'pawl-run-';

/**
 * pawl's version and a digest of its machines. A run is replayed by the machines that it was begun with, so another machine is
 * another workflow: both can be served side by side, and a run ends where it began.
 */
export const MACHINE_VERSION = `${VERSION}-${createHash('sha256')
  .update(JSON.stringify([loopMachine, taskMachine].map((machine) => describeMachine(machine))))
  .digest('hex')
  .slice(0, 8)}`;

export const workflowName = (version: string): string => `${WORKFLOWS}${version}`;

/** Keys of the state that the engine keeps of a run: a record each, and the glance. */
export const GLANCE = 'glance';
const RECORD = 'record/';
export const recordKey = (seq: number): string => `${RECORD}${String(seq).padStart(8, '0')}`;
/** Right behind the keys of all records. */
export const BEHIND_RECORDS = `${RECORD}:`;

/** Names of what a run waits for. A word on another input than the call has goes to a promise that nobody looks at. */
export const CANCEL = 'cancel';
export const approvalOf = ({ callId, fingerprint }: Pick<CallDecision, 'callId' | 'fingerprint'>): string =>
  `approval ${callId} ${fingerprint}`;

/**
 * The name of a word on its way: the engine takes one word of a name, and answers every other one that it has one. So the first
 * word counts, whoever hears it and when. A digest, for it is sent as a header, and ids are made by the model.
 */
export const wordKey = (promise: string): string => createHash('sha256').update(promise).digest('hex');
