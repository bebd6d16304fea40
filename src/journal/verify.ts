/** Folds a journal and compares what it says was decided with what the machine decides now. */
import type { LoopContext } from '../../machines/context.ts';
import type { LoopEvent, PendingRecord } from '../../machines/events.ts';
import { stateName } from '../../machines/state-name.ts';
import { repairInstruction } from '../../machines/task.ts';
import { type Call, closeCalls, isDecidedBy } from '../../machines/turn.ts';
import { type Difference, differences } from './compare.ts';
import { Fold, type Look } from './fold.ts';
import type { JournalRecord, RecordBody } from './record.ts';

/** The first record that the machine would not have led to. */
export interface Deviation {
  readonly seq: number;
  readonly type: string;
  /** Full name of the state in which the record met the machine. */
  readonly state: string;
  readonly problem: string;
  /** `left` is recorded, `right` is what is decided now. */
  readonly differences: readonly Difference[];
}

/**
 * @param records the first one must be run.started
 * @returns undefined: every decision is as it was recorded
 */
export function verifyRecords(records: readonly JournalRecord[]): Deviation | undefined {
  const [started, ...rest] = records;
  if (started?.type !== 'run.started') throw new Error('the records do not begin with run.started');
  let look: Look = () => {};
  const fold = new Fold(started, (event, snapshot) => look(event, snapshot));
  for (const [index, record] of rest.entries()) {
    const check = new RecordCheck(record, fold);
    look = (event, snapshot) => check.look(event, snapshot);
    const deviation = check.whole(() => fold.add(record, rest[index + 1]));
    if (deviation !== undefined) return deviation;
  }
  return undefined;
}

class RecordCheck {
  readonly #state: string;
  #found: Pick<Deviation, 'problem' | 'differences'> | undefined;
  /** What the machine wanted saved when it was told that this record was. */
  #pending: PendingRecord | null = null;
  #open: readonly Call[] = [];

  constructor(
    private readonly record: JournalRecord,
    private readonly fold: Fold,
  ) {
    this.#state = fold.state;
  }

  /** Records that make no sense may also break the fold; what else is found is the better word for it. */
  whole(add: () => void): Deviation | undefined {
    this.#checkPlace();
    let broken: string | undefined;
    try {
      add();
    } catch (error) {
      broken = error instanceof Error ? error.message : String(error);
    }
    if (broken === undefined || this.#pending !== null) this.#checkOutcome();
    if (broken !== undefined) this.#note(broken);
    const { seq, type } = this.record;
    return this.#found && { seq, type, state: this.#state, ...this.#found };
  }

  look(event: LoopEvent, snapshot: Fold['snapshot']): void {
    if (!snapshot.can(event))
      this.#note(`the machine takes no ${event.type} in the state ${stateName(snapshot.value)}`);
    if (event.type === 'record.saved') this.#save(snapshot.context);
  }

  /**
   * Where a limit and a cancel met, the machine of the fold closes for the limit first, which the recorded run did not: the
   * calls that were open then are those that the cancel closed.
   */
  #save({ pending, calls }: LoopContext): void {
    const isSecond = this.#pending?.type === 'run.closing' && pending?.type === 'run.closing';
    if (!isSecond) this.#open = calls;
    this.#pending = isSecond ? { ...pending, results: closeCalls(this.#open, pending.stop) } : pending;
  }

  #checkPlace(): void {
    const { record, fold } = this;
    const { context } = fold.snapshot;
    if (record.type === 'run.started') this.#note('a run begins once');
    if (fold.status !== null && record.type !== 'run.ended' && record.type !== 'run.resumed')
      this.#note(`the run had ended as ${this.#state}`);
    if ('callId' in record && !context.calls.some(({ id }) => id === record.callId))
      this.#note(`the last reply has no call ${record.callId}`);
    if (
      (record.type === 'approval.granted' || record.type === 'approval.denied') &&
      !context.calls.some((call) => isDecidedBy(record, call))
    )
      this.#note(`it decides about another input than that of the call ${record.callId}`);
    if (record.type === 'check.finished' || record.type === 'repair.started') this.#checkTask(record);
  }

  /** Of what a check found, the machine makes what the model is told. */
  #checkTask(record: Extract<JournalRecord, { type: 'check.finished' | 'repair.started' }>): void {
    const { task, transcript } = this.fold;
    if (!task.can(record)) this.#note(`the machine takes no ${record.type} in the state ${this.#state}`);
    const check = transcript.checks.at(-1);
    if (record.type !== 'repair.started' || check === undefined) return;
    const { repairs, maxRepairs } = task.context;
    const instruction = repairInstruction(check.command, check.output, repairs, maxRepairs ?? 0);
    this.#compare(bodyOf(record), { type: record.type, repair: repairs, instruction });
  }

  #checkOutcome(): void {
    const { record, fold } = this;
    switch (record.type) {
      case 'reply.received':
      case 'summary.received':
      case 'results.recorded':
      case 'nudge.recorded':
      case 'run.closing':
        this.#compare(bodyOf(record), this.#pending);
        return;
      case 'run.ended': {
        const { status, turns, usage, costUsd } = record;
        const now = fold.snapshot.context;
        const found = {
          status: this.#state,
          turns: now.counters.turns,
          usage: now.usage,
          costUsd: now.costUsd,
        };
        this.#compare({ status, turns, usage, costUsd }, found);
        return;
      }
      default:
        return;
    }
  }

  #compare(recorded: object, now: object | null): void {
    const found = differences(recorded, JSON.parse(JSON.stringify(now)));
    if (found.length > 0) this.#note('something else would be recorded now', found);
  }

  /** The first one counts: others follow from it. */
  #note(problem: string, found: readonly Difference[] = []): void {
    this.#found ??= { problem, differences: found };
  }
}

function bodyOf({ seq, at, ...body }: JournalRecord): RecordBody {
  return body;
}
