/** The eyes on one process: each record, request, question and effect is judged at the instant at which it happens. */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../machines/protocol.ts';
import { CLOSING_STATUSES } from '../../machines/status.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import type { RunOutcome } from '../../src/outcome.ts';
import type { WaitingCall } from '../../src/waiting.ts';
import { unanswered } from '../helpers/history.ts';
import { blocksOf, type Fields } from '../helpers/strict-form.ts';
import { violations } from '../helpers/strict-rules.ts';
import { KILLED, type Life } from './life.ts';
import { inUnits, MODEL, OTHER_MODEL, unitsOf } from './money.ts';
import { must, Violation } from './must.ts';
import { promptTokensOf } from './replies.ts';
import { AGAIN, EFFECTS, type ToolName } from './tools.ts';
import type { MeantCall, World } from './world.ts';

/** No run of these sizes has a reason to send more. */
const MOST_REQUESTS = 400;

export class Watch {
  #asking: Fields | undefined;
  readonly #running = new Set<string>();
  readonly #firstSeq: number;

  constructor(
    private readonly world: World,
    private readonly life: Life,
  ) {
    this.#firstSeq = world.records.length;
  }

  /** What is found is kept, whatever the code under test does about the throw. @throws KILLED when a rule is broken */
  #judge<Value>(look: () => Value): Value {
    if (this.life.isOver) throw KILLED;
    try {
      return look();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.world.violation ??= error;
      this.life.isOver = true;
      throw KILLED;
    }
  }

  onRecord(record: JournalRecord): void {
    this.#judge(() => this.world.books.add(record));
  }

  /** @returns what is to be called when the request has ended */
  onRequest(body: Fields): () => void {
    return this.#judge(() => {
      const { bill, books, records, requests, sent, synced } = this.world;
      const { limits, counters } = books;
      const isSummary = isToolsOff(body);
      this.#mustBegin('a request', isSummary);
      this.#mustFit(body);
      must(this.#asking === undefined, 'one request at a time');
      const unsaved = records.slice(synced);
      must(unsaved.length === 0, 'all that led to a request is saved before it is sent', unsaved);
      must(books.round === null, 'no request while calls are open');
      must(books.failures <= limits.maxRetries, 'no request past the limit on retries');
      if (isSummary) {
        must(books.owesSummary, 'one summary, after a closing that leads to one');
      } else {
        must(books.closing === null, 'no request after a closing but the summary', books.closing);
        must(counters.turns < limits.maxTurns, 'no request past the limit on turns', counters);
        must(
          limits.tokenBudget === null || books.account.tokens < limits.tokenBudget,
          'no request past the token budget',
        );
        must(books.pauses <= limits.maxPauses, 'no request past the limit on pauses');
        must(books.cuts <= limits.maxTruncations, 'no request past the limit on truncations');
        must(
          limits.maxRepeats === null || books.repeats < limits.maxRepeats,
          'no request when the same round came again and again',
        );
      }
      const found = violations(body, {
        requests: requests.slice(-1).map((request) => request.body),
        sent,
      });
      must(found.length === 0, 'the service takes the request', found);
      requests.push({ body, recordsThen: records.length });
      if (limits.maxCostUsd === null) bill.isCapped = false;
      must(requests.length <= MOST_REQUESTS, 'the number of requests is bounded');
      this.#asking = body;
      return () => {
        if (this.#asking === body) this.#asking = undefined;
      };
    });
  }

  /** What a request may come to at its worst fits the money, and the window where its size can be known. */
  #mustFit(body: Fields): void {
    const { books, profile } = this.world;
    const model = books.counters.fallbacks > 0 ? OTHER_MODEL : MODEL;
    must(body.model === model, 'another model is asked once the first one has refused, and not before');
    const [prompt, output] = [promptTokensOf(body), Number(body.max_tokens)];
    const worst = unitsOf(model, { input: 0, cacheWrite: prompt, cacheRead: 0, output });
    must(
      books.account.covers(books.limits.maxCostUsd, worst),
      'no request whose worst case the money does not cover',
      worst,
    );
    must(
      !profile.canCount || books.window === null || prompt + output <= books.window,
      'no request past the window where it can be counted',
      [prompt, output],
    );
  }

  /** The service charges for what it has done, whether or not somebody hears of it. */
  onCharge(units: number): void {
    const { bill, books } = this.world;
    bill.charge(units);
    const { maxCostUsd } = books.limits;
    if (!bill.isCapped || maxCostUsd === null || this.life.isOver) return;
    this.#judge(() =>
      must(bill.units <= inUnits(maxCostUsd), 'the service is never owed more than the cap', bill.units),
    );
  }

  onQuestion(callId: string, fingerprint: string): void {
    this.#judge(() => {
      this.#mustBegin('a question');
      const { round } = this.world.books;
      must(round?.isAsked(callId) === true, 'a person is asked about what is open', callId);
      must(round.call(callId).fingerprint === fingerprint, 'a person is asked about what was judged', callId);
    });
  }

  /** What is said to wait are the questions that are open, and no others. */
  mustWait(waiting: readonly WaitingCall[]): void {
    const ids = waiting.map(({ callId }) => callId);
    must(isDeepStrictEqual(ids, this.world.books.round?.asked ?? []), 'what waits is what is open', ids);
  }

  /** Before anything of a call's work. */
  onRun(key: string, tool: ToolName): MeantCall {
    return this.#judge(() => {
      const { books, synced } = this.world;
      const { limits, counters, round } = books;
      must(round !== null && !books.isOver, 'a call runs while it is open', { key, tool });
      const found = round.meantBy(key, tool, this.#running);
      must(found?.mayRun === true, 'only what was meant and allowed is run', { key, tool });
      const meant: MeantCall = found;
      this.#mustBegin('a call');
      must(round.replySeq < synced, 'a reply is saved before anything of it is run', meant);
      must(round.isAllowed(meant.id), 'a call runs when it was approved and has no result', meant);
      const { startedSeq, startedIn } = round.call(meant.id);
      must(startedIn === books.process, 'the intent is on record before a call is run', meant);
      const isRead = EFFECTS[tool] === 'read';
      must(
        isRead || (startedSeq ?? synced) < synced,
        'the intent is saved before a call with effects is run',
        meant,
      );
      must(this.#running.size === 0 || isRead, 'calls with effects run alone', [...this.#running]);
      must(
        limits.maxToolCalls === null || counters.toolCalls <= limits.maxToolCalls,
        'no call past the limit on calls',
      );
      must(
        limits.tokenBudget === null || books.account.tokens < limits.tokenBudget,
        'no call past the token budget',
      );
      must(books.account.covers(limits.maxCostUsd, 1), 'no call past the money');
      this.#running.add(meant.id);
      return meant;
    });
  }

  onEffect({ key, tool }: MeantCall): void {
    this.#judge(() => {
      const times = (this.world.executions.get(key) ?? 0) + 1;
      this.world.executions.set(key, times);
      must(times === 1 || !isEffectful(tool), 'a call with effects has them once', { key, tool });
    });
  }

  onRunEnded({ id }: MeantCall): void {
    this.#running.delete(id);
  }

  /** @param isLast every decision of the run is made again then, to compare */
  onEnd(outcome: RunOutcome, isLast: boolean): void {
    this.#judge(() => {
      const { records, books } = this.world;
      const { status, messages } = outcome;
      this.#mustTellTheTruth(messages);
      if (status === 'suspended') return this.#mustBeSuspended(outcome);
      must(outcome.waiting.length === 0, 'nothing waits in a run that has ended');
      const ends = records.filter(({ type, seq }) => type === 'run.ended' && seq >= this.#firstSeq);
      if (status === 'journal_error') {
        must(this.life.failedIn !== null && ends.length === 0, 'a journal error is one');
        return;
      }
      const isNoted = ends.length === 1 && records.at(-1)?.type === 'run.ended';
      must(isNoted || this.life.failedIn !== null, 'a run has one end, and it is the last record');
      if (ends.length > 0) must(records.at(-1)?.type === 'run.ended', 'nothing is recorded after the end');
      if (isClosing(status)) must(books.closing?.status === status, 'the end is that of the closing', status);
      else must(books.closing === null, 'a closing leads to its own end', status);
      must(
        unanswered(messages).length === 0,
        'each call in the history has its result',
        unanswered(messages),
      );
      must(
        isDeepStrictEqual(outcome.usage, books.account.usage),
        'the usage is the sum over the replies',
        outcome.usage,
      );
      must(isDeepStrictEqual(outcome.counters, books.counters), 'the counters are those of the records', [
        outcome.counters,
        books.counters,
      ]);
      const { snapshot, transcript } = foldRecords(records);
      must(snapshot.value === status, 'the fold finds the same end', snapshot.value);
      must(isDeepStrictEqual(snapshot.context.counters, books.counters), 'the fold counts the same');
      must(isDeepStrictEqual(transcript.messages, messages), 'the fold finds the same history');
      const deviation = isLast ? verifyRecords(records) : undefined;
      must(deviation === undefined, 'every decision would be made again', deviation);
    });
  }

  #mustBeSuspended({ waiting }: RunOutcome): void {
    const { records, synced, books } = this.world;
    must(waiting.length > 0, 'a run is suspended for calls that wait');
    this.mustWait(waiting);
    must(synced === records.length, 'a suspended run is on the disk before it is left');
    must(!books.isOver && books.closing === null, 'a suspended run has not ended');
    must(books.round?.hasStarted === false, 'nothing of a reply runs before all of it is decided');
    const { snapshot } = foldRecords(records);
    must(snapshot.matches('awaitingApproval'), 'the fold waits for the approval, too', snapshot.value);
  }

  #mustBegin(what: string, isSummary = false): void {
    const isLate = !isSummary && this.world.books.isExpired(this.life.clock.now);
    must(!isLate, `${what} does not begin when the time is over`);
    must(!this.life.hasHeardTheEnd, `${what} does not begin after a cancel or a failure of the journal`);
  }

  /** What the model is told did not happen did not happen. */
  #mustTellTheTruth(messages: readonly Message[]): void {
    const { calls, executions } = this.world;
    const happened = new Set<unknown>();
    for (const { key, id, tool } of calls.values())
      if (EFFECTS[tool] !== 'read' && key !== AGAIN && executions.has(key)) happened.add(id);
    for (const { content, tool_use_id: id } of messages.flatMap(blocksOf))
      must(
        !(happened.has(id) && typeof content === 'string' && content.startsWith('Not executed')),
        'what had its effect is not called "not executed"',
        id,
      );
  }
}

const isToolsOff = (body: Fields): boolean => body.tool_choice !== undefined;
const isEffectful = (tool: ToolName): boolean => EFFECTS[tool] === 'effectful';
const isClosing = (status: string): boolean => (CLOSING_STATUSES as readonly string[]).includes(status);
