/**
 * The message list as a projection of the records: what the model has been told and what it said. Content is only ever
 * added at the end, so each request extends the one before it. The same records always give the same list.
 */
import { assertNever } from '../../machines/never.ts';
import {
  type AssistantMessage,
  type ContentBlock,
  type FileState,
  type FileVersion,
  isText,
  isToolUse,
  type Message,
  type Reply,
  type ToolContent,
  type ToolUseBlock,
  textOf,
  type Usage,
} from '../../machines/protocol.ts';
import { digestReply, entersHistory } from '../../machines/reply.ts';
import type { RecordBody } from './record.ts';

interface Result {
  readonly content: ToolContent;
  readonly isError: boolean;
}

interface Finished {
  readonly name: string;
  readonly input: unknown;
  readonly isError: boolean;
  readonly file?: FileVersion;
}

/** A reply of the model, whether or not later requests carry it. */
export interface ReplySeen {
  readonly turn: number;
  readonly attempt: number;
  readonly isSummary: boolean;
  readonly kind: Reply['kind'];
  readonly stopReason: string | null;
  readonly text: string;
  readonly usage: Usage;
  /** 0 also where no price was known. */
  readonly costUsd: number;
  readonly message: AssistantMessage;
}

type Of<Type extends RecordBody['type']> = Extract<RecordBody, { type: Type }>;

export class Transcript {
  readonly messages: Message[] = [];
  readonly replies: ReplySeen[] = [];
  /** Whether a reply that broke off was billed at a price that nobody knew. */
  isUnpriced = false;
  /** Ids of all calls so far: the service takes each of them once. */
  readonly usedIds = new Set<string>();
  readonly finishedCalls: Finished[] = [];
  readonly denials: { readonly callId: string; readonly tool: string; readonly reason: string }[] = [];
  /** Of answers, in order. */
  readonly checks: Of<'check.finished'>[] = [];
  readonly #open = new Map<string, ToolUseBlock>();
  readonly #results = new Map<string, Result>();
  /** Of open calls that have effects: the file that a person was asked about, as the run itself has left it. */
  readonly #asked = new Map<string, FileState | undefined>();
  /** What a person added while calls were open: it comes behind their results. */
  #instructions: ContentBlock[] = [];
  #endsInPause = false;

  /** A call that the last reply made and that has no result in the list yet. */
  openCall(callId: string): ToolUseBlock | undefined {
    return this.#open.get(callId);
  }

  /** What the file of an open call must still be for the answer of the person to count. undefined: it is about no file. */
  askedAbout(callId: string): FileState | undefined {
    return this.#asked.get(callId);
  }

  /** Whether the service wants the last reply back as it is, with no word of the user behind it. */
  get endsInPause(): boolean {
    return this.#endsInPause;
  }

  apply(record: RecordBody): void {
    switch (record.type) {
      case 'run.started':
        this.#say([textBlock(record.task)]);
        return;
      case 'reply.received':
      case 'summary.received':
        this.#hear(record);
        return;
      case 'calls.reviewed':
        for (const verdict of record.verdicts) {
          if (verdict.verdict !== 'refuse') {
            if (verdict.effect !== 'read') this.#asked.set(verdict.callId, verdict.file);
            continue;
          }
          this.#settle(verdict.callId, { content: verdict.reason, isError: true });
          if (verdict.denied) this.#deny(verdict.callId, verdict.reason);
        }
        return;
      case 'approval.denied':
        this.#settle(record.callId, { content: record.content, isError: true });
        this.#deny(record.callId, record.content);
        return;
      case 'tool.finished':
        this.#settle(record.callId, record);
        this.#finish(record);
        return;
      case 'results.recorded':
        this.#answer(record.callIds, record.notice === null ? [] : [textBlock(record.notice)]);
        return;
      case 'nudge.recorded':
        this.#say([textBlock(record.text)]);
        return;
      case 'run.closing':
        for (const { callId, content } of record.results) this.#settle(callId, { content, isError: true });
        this.#answer([...this.#open.keys()], record.notice === null ? [] : [textBlock(record.notice)]);
        return;
      case 'run.resumed':
      case 'repair.started':
        this.#instruct(record.instruction);
        return;
      case 'check.finished':
        this.checks.push(record);
        return;
      case 'attempt.failed':
        if (record.failure.usage && record.failure.costUsd === undefined) this.isUnpriced = true;
        return;
      case 'prompt.measured':
      case 'approval.granted':
      case 'tool.started':
      case 'file.kept':
      case 'run.ended':
        return;
      default:
        assertNever(record);
    }
  }

  #hear(record: Of<'reply.received'> | Of<'summary.received'>): void {
    const { message, turn, attempt, costUsd } = record;
    const { kind, stopReason, usage } = digestReply(message, this.usedIds);
    const isSummary = record.type === 'summary.received';
    this.replies.push({
      turn,
      attempt,
      isSummary,
      kind,
      stopReason,
      usage,
      costUsd,
      message,
      text: textOf(message.content),
    });
    if (!entersHistory(kind)) return;
    this.#endsInPause = kind === 'paused';
    this.messages.push({ role: 'assistant', content: sendable(message.content) });
    for (const call of message.content.filter(isToolUse)) {
      this.usedIds.add(call.id);
      this.#open.set(call.id, call);
    }
  }

  #settle(callId: string, { content, isError }: Result): void {
    if (this.#open.has(callId)) this.#results.set(callId, { content, isError });
  }

  #deny(callId: string, reason: string): void {
    this.denials.push({ callId, tool: this.#open.get(callId)?.name ?? '', reason });
  }

  #finish({ callId, isError, file }: Of<'tool.finished'>): void {
    const call = this.#open.get(callId);
    if (!call) return;
    const { name, input } = call;
    this.finishedCalls.push({ name, input, isError, ...(file && { file }) });
    if (file === undefined || !this.#asked.has(callId)) return;
    // What the run itself has changed since the question is no surprise to anybody.
    for (const [id, asked] of this.#asked) if (asked?.path === file.path) this.#asked.set(id, file);
  }

  /** All results in one user message, in call order, before any text: the service takes no other form. */
  #answer(callIds: readonly string[], more: readonly ContentBlock[]): void {
    const results = callIds.map((callId) => {
      const result = this.#results.get(callId);
      if (result === undefined) throw new Error(`the call ${callId} has no result in the records`);
      return { type: 'tool_result', tool_use_id: callId, ...fieldsOf(result) };
    });
    const instructions = this.#instructions;
    this.#open.clear();
    this.#results.clear();
    this.#asked.clear();
    this.#instructions = [];
    this.#say([...results, ...instructions, ...more]);
  }

  #instruct(instruction: string | null): void {
    if (instruction === null) return;
    const block = textBlock(instruction);
    if (this.#open.size > 0) this.#instructions.push(block);
    else this.#say([block]);
  }

  /** Neighbouring user messages are one turn to the service; they are joined here, so that roles alternate. */
  #say(blocks: readonly ContentBlock[]): void {
    if (blocks.length === 0) return;
    this.#endsInPause = false;
    const last = this.messages.at(-1);
    if (last?.role === 'user')
      this.messages[this.messages.length - 1] = {
        role: 'user',
        content: [...(last.content as ContentBlock[]), ...blocks],
      };
    else this.messages.push({ role: 'user', content: blocks });
  }
}

const textBlock = (text: string): ContentBlock => ({ type: 'text', text });

/** The service refuses an error that says nothing. */
const fieldsOf = ({ content, isError }: Result) =>
  isError
    ? { content: isBlank(content) ? 'The call failed without a word.' : content, is_error: true }
    : { content };

const isBlank = (content: ToolContent): boolean =>
  typeof content === 'string' ? content.trim() === '' : content.every(isBlankText);

const isBlankText = (block: ContentBlock): boolean => isText(block) && block.text.trim() === '';

/**
 * A reply as the service takes it back: verbatim, but for empty texts, which it sends and refuses. White space between
 * other blocks stays, since thinking that comes after it is signed over it.
 */
function sendable(content: readonly ContentBlock[]): readonly ContentBlock[] {
  return content.filter((block) => !(isText(block) && block.text === ''));
}
