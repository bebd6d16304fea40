/**
 * What the records come to, by rules of the simulation's own: no word of the machine, the fold or the transcript is
 * believed here. A record that must not stand where it stands is a violation.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Unsettled } from '../../machines/budget.ts';
import { type Counters, type Limits, NO_COUNTERS } from '../../machines/limits.ts';
import type { ReplyKind } from '../../machines/protocol.ts';
import type { Stop } from '../../machines/status.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { Account } from './account.ts';
import { must } from './must.ts';
import { Round } from './round.ts';
import type { World } from './world.ts';

type Of<Type extends JournalRecord['type']> = Extract<JournalRecord, { type: Type }>;
type Known = Pick<World, 'records' | 'replies' | 'failures' | 'takenUp'>;

/** A process has begun to save its first record before its clock runs. */
const START_MS = 10;

/** null: no limit. */
const isHigher = (limit: number | null, than: number | null): boolean =>
  (limit ?? Number.POSITIVE_INFINITY) > (than ?? Number.POSITIVE_INFINITY);

const inHistory = (kind: ReplyKind): boolean => kind === 'answer' || kind === 'calls' || kind === 'paused';

export class Books {
  limits!: Limits;
  counters: Counters = NO_COUNTERS;
  readonly account = new Account();
  /** The calls that have no place in the history yet. */
  round: Round | null = null;
  /** Why the run is being ended, since it was last taken up or allowed to go on. */
  closing: Stop | null = null;
  /** Nothing may happen any more unless the run is taken up again. */
  isOver = false;
  /** The last words of the history are a reply that wants to be sent back as it is. */
  endsInPause = false;
  /** Number of the process that wrote last, from 1. */
  process = 0;
  readonly usedIds = new Set<string>();
  /** All calls that were about to run. */
  readonly startedIds = new Set<string>();
  /** In a row, of one request; within one turn. */
  failures = 0;
  pauses = 0;
  cuts = 0;
  nudges = 0;
  /** When the process in hand began. */
  #startedAt = 0;
  #isNudgeDue = false;
  readonly #heard = new Set<unknown>();
  #rounds: string[] = [];
  #count = 0;
  #last: JournalRecord['type'] | undefined;
  #position = { turn: 0, attempt: 0 };

  constructor(private readonly known: Known) {}

  /** Of the model that is asked now. */
  get window(): number | null {
    return this.counters.fallbacks > 0 ? this.limits.fallbackWindow : this.limits.contextWindow;
  }

  /** Whether the time of the process was over before then, whatever happened at the same moment. */
  isExpired(now: number): boolean {
    const { timeoutMs } = this.limits;
    return timeoutMs !== null && now > this.#startedAt + START_MS + timeoutMs;
  }

  get owesSummary(): boolean {
    const { closing, limits, counters } = this;
    return closing !== null && closing.status !== 'cancelled' && limits.summary && counters.summaries === 0;
  }

  /** How often the last round stands at the end in a row. */
  get repeats(): number {
    const last = this.#rounds.at(-1);
    const other = this.#rounds.findLastIndex((round) => round !== last);
    return this.#rounds.length - 1 - other;
  }

  add(record: JournalRecord): void {
    must(record.seq === this.#count, 'records are numbered without a gap', record.seq);
    must((record.type === 'run.started') === (this.#count === 0), 'a run begins once', record.seq);
    this.#count += 1;
    must(!this.isOver || this.#mayFollowTheEnd(record), 'an end is an end', record);
    this.#last = record.type;
    if (record.type === 'run.started' || record.type === 'run.resumed') {
      this.process += 1;
      this.#startedAt = Date.parse(record.at);
    }
    switch (record.type) {
      case 'run.started':
        this.limits = record.limits;
        break;
      case 'run.resumed':
        this.#resume(record);
        break;
      case 'reply.received':
      case 'summary.received':
        this.#hear(record);
        break;
      case 'attempt.failed':
        this.#fail(record);
        break;
      case 'prompt.measured':
        must(
          this.limits.tokenBudget !== null || this.limits.maxCostUsd !== null || this.window !== null,
          'a request is measured where there is a budget or a window',
        );
        break;
      case 'nudge.recorded':
        must(this.#isNudgeDue, 'a word is said where a reply was empty, once', record);
        this.#isNudgeDue = false;
        this.nudges += 1;
        this.#nextTurn();
        break;
      case 'calls.reviewed':
        this.#open().review(record);
        break;
      case 'approval.granted':
      case 'approval.denied':
        this.#open().answer(record);
        break;
      case 'tool.started':
        this.#open().start(record, this.process);
        this.startedIds.add(record.callId);
        this.#tally({ toolCalls: this.startedIds.size });
        break;
      case 'tool.finished':
        this.#open().finish(record);
        break;
      case 'results.recorded':
        this.nudges = 0;
        this.#rounds.push(this.#open().results(record));
        this.#nextTurn();
        break;
      case 'run.closing':
        this.#close(record);
        break;
      case 'run.ended':
        this.#end(record);
        break;
    }
  }

  /** A cancel may come while another closing is being saved. */
  #mayFollowTheEnd(record: JournalRecord): boolean {
    if (record.type !== 'run.closing') return record.type === 'run.resumed' || record.type === 'run.ended';
    return this.#last === 'run.closing' && record.stop.status === 'cancelled';
  }

  #open(): Round {
    must(this.round !== null, 'what is said of calls is said while there are some');
    return this.round;
  }

  #tally(changes: Partial<Counters>): void {
    this.counters = { ...this.counters, ...changes };
  }

  /** Positions only ever grow, so that no answer is taken for that to another question. */
  #move({ turn, attempt }: { turn: number; attempt: number }): void {
    const { turn: lastTurn, attempt: lastAttempt } = this.#position;
    must(
      turn > lastTurn || (turn === lastTurn && attempt > lastAttempt),
      'each request has a place of its own',
      { turn, attempt },
    );
    this.#position = { turn, attempt };
    this.#tally({ attempts: this.counters.attempts + 1 });
  }

  #hear(record: Of<'reply.received'> | Of<'summary.received'>): void {
    const reply = this.known.replies.get(String(record.message.id));
    must(reply !== undefined, 'a recorded reply was sent by the model');
    must(!this.#heard.has(record.message.id), 'a reply is recorded once', record.message.id);
    this.#heard.add(record.message.id);
    must(
      isDeepStrictEqual(record.message, reply.message),
      'a reply is recorded as it was sent',
      record.message,
    );
    must(reply.isSummary === (record.type === 'summary.received'), 'a summary is recorded as one');
    must(this.round === null, 'no reply while calls of an earlier one are open');
    this.#move(record);
    const { counters } = this;
    this.account.pay(this.limits, reply.usage, reply.model, record.costUsd);
    this.failures = 0;
    const { kind } = reply;
    if (inHistory(kind)) this.endsInPause = kind === 'paused';
    if (kind === 'calls') {
      this.round = new Round(reply, record.seq);
      for (const { id } of reply.calls) this.usedIds.add(id);
    }
    if (reply.isSummary) {
      this.#tally({ summaries: counters.summaries + 1 });
      this.isOver = kind !== 'calls';
      return;
    }
    if (kind === 'paused') this.#tally({ pauses: counters.pauses + 1 });
    else if (kind === 'truncated') this.#tally({ truncations: counters.truncations + 1 });
    else if (this.#fallsBack(kind))
      this.#tally({ turns: counters.turns + 1, fallbacks: counters.fallbacks + 1 });
    else this.#tally({ turns: counters.turns + 1 });
    const isAskedAgain = kind === 'refused' && this.counters.fallbacks > counters.fallbacks;
    if (kind === 'paused') this.pauses += 1;
    if (kind === 'truncated') this.cuts += 1;
    this.#isNudgeDue = kind === 'empty' && this.nudges === 0 && !this.endsInPause;
    const isSilent = kind !== 'calls' && kind !== 'paused' && kind !== 'truncated';
    this.isOver = isSilent && !this.#isNudgeDue && !isAskedAgain;
  }

  #fallsBack(kind: ReplyKind): boolean {
    return kind === 'refused' && this.counters.fallbacks < this.limits.maxFallbacks;
  }

  #fail({ failure, ...record }: Of<'attempt.failed'>): void {
    must(this.round === null, 'no request while calls are open');
    this.#move(record);
    this.failures += 1;
    const meant = this.known.failures.get(/failure_\d+/.exec(failure.message)?.[0] ?? '');
    must(isDeepStrictEqual(failure.usage, meant?.usage), 'a failure is recorded with what it took', failure);
    if (meant) this.account.pay(this.limits, meant.usage, meant.model, failure.costUsd ?? Number.NaN);
    const mayWait = this.closing?.status !== 'time_limit';
    this.isOver = !failure.retryable || this.failures > this.limits.maxRetries || !mayWait;
  }

  #nextTurn(): void {
    this.round = null;
    this.endsInPause = false;
    this.failures = 0;
    this.pauses = 0;
    this.cuts = 0;
  }

  #close(record: Of<'run.closing'>): void {
    const { limits, counters, endsInPause, closing } = this;
    const { stop, notice } = record;
    if (this.round) this.round.close(record);
    else must(record.results.length === 0, 'a closing answers calls that are open, and no others');
    const isSecond = closing !== null && stop.status === 'cancelled';
    const afterSummary = counters.summaries > 0;
    must(closing === null || isSecond || afterSummary, 'a run is closed once, and once more for a person');
    this.#nextTurn();
    this.closing = stop;
    this.isOver = !this.owesSummary;
    must(
      (notice !== null) === (this.owesSummary && !endsInPause),
      'a notice opens the summary, and no other word is said',
      notice,
    );
    this.endsInPause = endsInPause && notice === null && record.results.length === 0;
    const isEarly = limits.timeoutMs === null || Date.parse(record.at) < this.#startedAt + limits.timeoutMs;
    must(afterSummary || stop.status !== 'time_limit' || !isEarly, 'time is over when it is over', record);
    must(
      afterSummary || stop.status !== 'max_turns' || counters.turns >= limits.maxTurns,
      'a limit that closes a run was reached',
      stop,
    );
  }

  /**
   * What a run holds back for requests that nobody heard the end of is its own estimate. It is believed for what may go on,
   * and never for what was spent.
   */
  #unsettledBefore(seq: number): Unsettled {
    return foldRecords(this.known.records.slice(0, seq)).snapshot.context.unsettled;
  }

  #resume({ seq, limits, instruction }: Of<'run.resumed'>): void {
    const spent = this.limits;
    this.limits = limits;
    if (this.known.takenUp.has(seq)) {
      this.closing = null;
      this.isOver = false;
      this.#rounds = [];
      this.failures = 0;
      this.pauses = 0;
      this.cuts = 0;
      this.nudges = 0;
      this.#tally({ summaries: 0 });
    } else if (this.closing && this.counters.summaries === 0 && this.#isLifted(spent, seq))
      this.closing = null;
    must(instruction === null || !this.endsInPause, 'no word comes between a pause and what follows');
    const isToldToGoOn = instruction?.startsWith('The run was taken up again') === true;
    // A budget that had cut the reply may have been raised before that was on record: then the turn begins anew.
    if (isHigher(limits.tokenBudget, spent.tokenBudget) || isHigher(limits.maxCostUsd, spent.maxCostUsd))
      this.cuts = 0;
    must(!isToldToGoOn || this.closing === null, 'who is told that the run goes on can go on', this.closing);
  }

  #isLifted(spent: Limits, seq: number): boolean {
    const { limits, counters, account, closing } = this;
    if (closing?.status === 'max_turns') return counters.turns < limits.maxTurns;
    if (closing?.status === 'token_budget')
      return (
        isHigher(limits.tokenBudget, spent.tokenBudget) &&
        isHigher(limits.tokenBudget, account.tokens + this.#unsettledBefore(seq).tokens)
      );
    if (closing?.status === 'cost_budget')
      return (
        isHigher(limits.maxCostUsd, spent.maxCostUsd) &&
        isHigher(limits.maxCostUsd, account.costUsd + this.#unsettledBefore(seq).costUsd)
      );
    if (closing?.status !== 'max_tool_calls') return false;
    return isHigher(limits.maxToolCalls, spent.maxToolCalls);
  }

  #end({ usage, turns, status, costUsd }: Of<'run.ended'>): void {
    must(this.round === null, 'the history of an ended run has no open call');
    this.account.close(usage, costUsd);
    must(turns === this.counters.turns, 'the turns are those of the replies', turns);
    must(this.closing === null || this.closing.status === status, 'the end is named by the closing', status);
    this.isOver = true;
  }
}
