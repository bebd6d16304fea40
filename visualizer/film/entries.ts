/**
 * The conversation as the transcript shows it: what was said, each reply with its calls, and what became of them. An
 * entry only grows; each part knows the frame that it came with, so that the list can be read as of any frame.
 */
import { type AssistantMessage, isToolUse, type ToolContent } from '../../machines/protocol.ts';
import { digestReply, entersHistory } from '../../machines/reply.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { countUpTo } from './spending.ts';

export type CallMoment =
  | {
      readonly index: number;
      readonly is: 'reviewed';
      readonly verdict: 'approve' | 'ask';
      readonly rule?: string;
    }
  | { readonly index: number; readonly is: 'granted' }
  | { readonly index: number; readonly is: 'started' }
  | {
      readonly index: number;
      readonly is: 'settled';
      readonly how: 'finished' | 'refused' | 'denied' | 'closed';
      readonly content: ToolContent;
      readonly isError: boolean;
      readonly durationMs?: number;
    };

export interface CallSeen {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly moments: CallMoment[];
}

export type Entry =
  | {
      readonly kind: 'said';
      readonly index: number;
      readonly by: 'task' | 'person' | 'pawl';
      readonly text: string;
    }
  | {
      readonly kind: 'request';
      readonly index: number;
      readonly turn: number;
      readonly attempt: number;
      readonly isSummary: boolean;
      /** What this request told the model that the one before it had not, in words. */
      readonly news: readonly string[];
      /** The same, as records. */
      readonly records: readonly JournalRecord[];
    }
  | {
      readonly kind: 'reply';
      readonly index: number;
      readonly record: Extract<JournalRecord, { type: 'reply.received' | 'summary.received' }>;
      readonly message: AssistantMessage;
      readonly is: ReturnType<typeof digestReply>['kind'];
      readonly isKept: boolean;
      readonly calls: readonly CallSeen[];
    }
  | {
      readonly kind: 'failed';
      readonly index: number;
      readonly record: Extract<JournalRecord, { type: 'attempt.failed' }>;
    }
  | {
      readonly kind: 'check';
      readonly index: number;
      readonly record: Extract<JournalRecord, { type: 'check.finished' }>;
    }
  | {
      readonly kind: 'note';
      readonly index: number;
      readonly text: string;
      readonly tone: 'plain' | 'warn' | 'bad';
    };

export class Entries {
  readonly all: Entry[] = [];
  readonly #calls = new Map<string, CallSeen>();
  /** What is asked for now is the summary. */
  #isClosing = false;
  #news: string[] = [];
  #records: JournalRecord[] = [];

  /** How many entries there are at a frame. */
  countAt(index: number): number {
    return countUpTo(this.all, index);
  }

  add(record: JournalRecord, index: number): void {
    switch (record.type) {
      case 'run.started':
        this.#say('task', record.task, index, 'the task', record);
        return;
      case 'reply.received':
      case 'summary.received':
        this.#reply(record, index);
        return;
      case 'attempt.failed':
        this.#request(record, index);
        this.all.push({ kind: 'failed', index, record });
        return;
      case 'results.recorded':
        this.#tell(counted(record.callIds.length, 'result'), record);
        if (record.notice) this.#say('pawl', record.notice, index, 'a notice', record);
        return;
      case 'nudge.recorded':
        this.#say('pawl', record.text, index, 'a nudge', record);
        return;
      case 'check.finished':
        this.all.push({ kind: 'check', index, record });
        return;
      case 'repair.started':
        this.#say('pawl', record.instruction, index, 'what the check found', record);
        return;
      case 'run.closing':
        this.#isClosing = true;
        this.#note(`Closing: ${record.stop.status}`, index, 'warn');
        for (const { callId, content } of record.results)
          this.#settle(callId, { index, is: 'settled', how: 'closed', content, isError: true });
        if (record.notice) this.#say('pawl', record.notice, index, 'the request to conclude', record);
        return;
      case 'run.resumed':
        this.#isClosing = false;
        this.#note(`Taken up again by pawl ${record.pawl}`, index, 'plain');
        if (record.instruction) this.#say('person', record.instruction, index, 'an instruction', record);
        return;
      case 'run.ended':
        this.#note(`Ended: ${record.status}`, index, record.status === 'answered' ? 'plain' : 'bad');
        return;
      default:
        this.#moment(record, index);
    }
  }

  #moment(record: JournalRecord, index: number): void {
    switch (record.type) {
      case 'calls.reviewed':
        for (const verdict of record.verdicts)
          if (verdict.verdict === 'refuse')
            this.#settle(verdict.callId, {
              index,
              is: 'settled',
              how: verdict.denied ? 'denied' : 'refused',
              content: verdict.reason,
              isError: true,
            });
          else
            this.#settle(verdict.callId, {
              index,
              is: 'reviewed',
              verdict: verdict.verdict,
              ...(verdict.rule && { rule: verdict.rule }),
            });
        return;
      case 'approval.granted':
        this.#settle(record.callId, { index, is: 'granted' });
        return;
      case 'approval.denied':
        this.#settle(record.callId, {
          index,
          is: 'settled',
          how: 'denied',
          content: record.content,
          isError: true,
        });
        return;
      case 'tool.started':
        this.#settle(record.callId, { index, is: 'started' });
        return;
      case 'tool.finished': {
        const { callId, content, isError, durationMs } = record;
        this.#settle(callId, { index, is: 'settled', how: 'finished', content, isError, durationMs });
        return;
      }
    }
  }

  #reply(
    record: Extract<JournalRecord, { type: 'reply.received' | 'summary.received' }>,
    index: number,
  ): void {
    const { message } = record;
    this.#request(record, index);
    const { kind } = digestReply(message);
    const calls = message.content
      .filter(isToolUse)
      .map(({ id, name, input }): CallSeen => ({ id, name, input, moments: [] }));
    for (const call of calls) this.#calls.set(call.id, call);
    this.all.push({ kind: 'reply', index, record, message, is: kind, isKept: entersHistory(kind), calls });
    if (entersHistory(kind)) this.#tell('its own reply', record);
  }

  #request({ turn, attempt }: { readonly turn: number; readonly attempt: number }, index: number): void {
    const [isSummary, news, records] = [this.#isClosing, this.#news, this.#records];
    this.all.push({ kind: 'request', index, turn, attempt, isSummary, news, records });
    this.#news = [];
    this.#records = [];
  }

  #tell(news: string, record: JournalRecord): void {
    this.#news.push(news);
    this.#records.push(record);
  }

  #say(
    by: 'task' | 'person' | 'pawl',
    text: string,
    index: number,
    news: string,
    record: JournalRecord,
  ): void {
    this.all.push({ kind: 'said', index, by, text });
    this.#tell(news, record);
  }

  #note(text: string, index: number, tone: 'plain' | 'warn' | 'bad'): void {
    this.all.push({ kind: 'note', index, text, tone });
  }

  #settle(callId: string, moment: CallMoment): void {
    this.#calls.get(callId)?.moments.push(moment);
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
