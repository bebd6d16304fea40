/** Decides about calls of a suspended run, from whatever process: the decisions are records, and the run goes on by them. */
import { redactor } from './actors/redact.ts';
import { OptionsError } from './checks/options-error.ts';
import { BOOLEAN, checkShape, FUNCTION, PATTERNS, type Shapes, TEXT, TEXTS } from './checks/shape.ts';
import { reopenJournal } from './journal/file.ts';
import { type Fold, foldRecords } from './journal/fold.ts';
import type { OpenedJournal } from './journal/journal.ts';
import { runPath, stateFolder } from './journal/location.ts';
import type { RecordBody } from './journal/record.ts';
import { denialOf } from './permissions/denial.ts';
import { type WaitingCall, waitingCalls } from './waiting.ts';

export interface CallDecision {
  readonly callId: string;
  readonly granted: boolean;
  /** For the model, with a denial. */
  readonly reason?: string;
  /** Of the call as it was seen: another one than it has now is refused. */
  readonly fingerprint?: string;
}

export interface DecideOptions {
  /** Never to be seen in a record or by the model. */
  readonly secrets?: readonly string[];
  readonly redact?: readonly RegExp[];
  readonly now?: () => number;
}

const OPTIONS = { secrets: TEXTS, redact: PATTERNS, now: FUNCTION } satisfies Shapes<DecideOptions>;
const DECISION = {
  callId: TEXT,
  granted: BOOLEAN,
  reason: TEXT,
  fingerprint: TEXT,
} satisfies Shapes<CallDecision>;

/** No such call waits, or it is another one than was seen. Nothing was written. */
export class CannotDecide extends OptionsError {
  override readonly name = 'CannotDecide';
  constructor(
    message: string,
    /** What waits in the run. */
    readonly waiting: readonly WaitingCall[],
  ) {
    super(message);
  }
}

/**
 * All of the decisions are written, or none. Each is bound to the call by its fingerprint; the run does not go on before it is resumed.
 * @param run id of a run in the state folder, or a journal that was opened again; it is closed in every case
 * @returns what still waits
 * @throws CannotDecide where nothing was written, OptionsError for options or decisions that say something else
 * @throws JournalHeld where another process has the run; JournalCorrupt, JournalError where it cannot be read or written
 */
export async function decide(
  run: string | OpenedJournal,
  decisions: readonly CallDecision[],
  options: DecideOptions = {},
): Promise<WaitingCall[]> {
  const { secrets = [], redact, now = Date.now } = options;
  const { journal, records } =
    typeof run === 'string' ? await reopenJournal(runPath(stateFolder(), run), now) : run;
  try {
    checkShape('decide()', options, OPTIONS);
    for (const decision of decisions) checkShape('A decision', decision, DECISION, ['callId', 'granted']);
    const fold = foldRecords(records);
    const bodies = decisions.map((decision) => recordOf(decision, fold, redactor(secrets, redact)));
    const ids = new Set(decisions.map(({ callId }) => callId));
    if (ids.size < decisions.length)
      throw new CannotDecide('A call is decided about once.', waitingCalls(fold));
    for (const body of bodies) journal.append(body);
    await journal.sync();
    return waitingCalls(fold).filter(({ callId }) => !ids.has(callId));
  } finally {
    await journal.close();
  }
}

function recordOf(
  { callId, granted, reason = '', fingerprint: seen }: CallDecision,
  fold: Fold,
  redact: (text: string) => string,
): RecordBody {
  const waiting = waitingCalls(fold);
  const call = waiting.find((one) => one.callId === callId);
  if (call === undefined)
    throw new CannotDecide(`No call ${JSON.stringify(callId)} waits for an approval in this run.`, waiting);
  const { fingerprint } = call;
  if (seen !== undefined && seen !== fingerprint)
    throw new CannotDecide(
      `The call ${callId} is not the one that was seen: its hash is ${fingerprint}, not ${seen}.`,
      waiting,
    );
  const decided = { turn: fold.snapshot.context.turn, callId, fingerprint };
  return granted
    ? { type: 'approval.granted', ...decided }
    : { type: 'approval.denied', ...decided, content: redact(denialOf(reason).toWellFormed()) };
}
