/** The calls of one reply, as far as the records have brought them: each is judged once, and gets one result. */
import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, ToolContent } from '../../machines/protocol.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { must } from './must.ts';
import type { MeantCall, MeantReply } from './world.ts';

type Of<Type extends JournalRecord['type']> = Extract<JournalRecord, { type: Type }>;

export interface RoundCall {
  readonly meant: MeantCall;
  readonly name: string;
  readonly input: unknown;
  verdict?: 'approve' | 'ask' | 'refuse';
  effect?: string;
  fingerprint?: string;
  isGranted: boolean;
  /** The number of the last record that says that it is about to run, and the process that wrote it. */
  startedSeq?: number;
  startedIn?: number;
  result?: ToolContent;
}

export class Round {
  readonly calls = new Map<string, RoundCall>();

  constructor(
    { message, calls }: MeantReply,
    /** Of the record that holds the reply. */
    readonly replySeq: number,
  ) {
    const blocks = message.content.filter(({ type }) => type === 'tool_use');
    calls.forEach((meant, index) => {
      const { name, input } = blocks[index] as ContentBlock;
      this.calls.set(meant.id, { meant, name: String(name), input, isGranted: false });
    });
  }

  review({ verdicts }: Of<'calls.reviewed'>): void {
    must(
      isDeepStrictEqual(
        verdicts.map(({ callId }) => callId),
        [...this.calls.keys()],
      ),
      'the review has a verdict on each call of the reply',
    );
    for (const one of verdicts) {
      const call = this.call(one.callId);
      must(call.verdict === undefined, 'a call is judged once', one);
      must(one.verdict === 'refuse' || call.meant.mayRun, 'what may not run is refused', call.meant);
      call.verdict = one.verdict;
      call.fingerprint = one.fingerprint;
      if (one.verdict === 'refuse') this.#settle(one.callId, one.reason);
      else call.effect = one.effect;
    }
  }

  answer({ callId, ...record }: Of<'approval.granted'> | Of<'approval.denied'>): void {
    const call = this.call(callId);
    must(this.isAsked(callId), 'an answer is to a question', callId);
    must(record.fingerprint === call.fingerprint, 'a decision is bound to the call as it was judged', record);
    if (record.type === 'approval.granted') call.isGranted = true;
    else this.#settle(callId, record.content);
  }

  /** Whether a person is to decide about the call, and has not. */
  isAsked(callId: string): boolean {
    const { verdict, isGranted, result } = this.call(callId);
    return verdict === 'ask' && !isGranted && result === undefined;
  }

  get hasStarted(): boolean {
    return [...this.calls.values()].some(({ startedSeq }) => startedSeq !== undefined);
  }

  /** In call order. */
  get asked(): string[] {
    return [...this.calls.keys()].filter((callId) => this.isAsked(callId));
  }

  start({ callId, seq }: Of<'tool.started'>, process: number): void {
    const call = this.call(callId);
    must(this.isAllowed(callId), 'a call begins when it is approved, and has no result', callId);
    must(call.startedIn !== process, 'a process begins a call once', callId);
    must(
      call.startedIn === undefined || call.effect !== 'effectful' || call.name === 'pay',
      'an interrupted call with effects begins again only where it was found not to have happened',
      callId,
    );
    call.startedSeq = seq;
    call.startedIn = process;
  }

  isAllowed(callId: string): boolean {
    const { verdict, isGranted, result } = this.call(callId);
    return (verdict === 'approve' || isGranted) && result === undefined;
  }

  finish({ callId, content }: Of<'tool.finished'>): void {
    must(this.isAllowed(callId), 'a result is that of a call that may run and has none', callId);
    this.#settle(callId, content);
  }

  /** @returns what the round came to, for comparison with others */
  results({ callIds }: Of<'results.recorded'>): string {
    must(
      isDeepStrictEqual(callIds, [...this.calls.keys()]),
      'the results are those of all calls, in call order',
    );
    const calls = [...this.calls.values()];
    must(
      calls.every(({ result }) => result !== undefined),
      'each call has a result before they are recorded',
    );
    return JSON.stringify(calls.map(({ name, input, result }) => [name, input, result]));
  }

  close({ results }: Of<'run.closing'>): void {
    for (const { callId, content } of results) this.#settle(callId, content);
    const open = [...this.calls.values()].filter(({ result }) => result === undefined);
    must(open.length === 0, 'a closing answers every open call');
  }

  /** The call that a tool is run for; several may have the same input. */
  meantBy(key: string, tool: string, running: ReadonlySet<string>): MeantCall | undefined {
    const meant = [...this.calls.values()].map((call) => call.meant);
    return meant.find((call) => call.key === key && call.tool === tool && !running.has(call.id));
  }

  call(callId: string): RoundCall {
    const call = this.calls.get(callId);
    must(call !== undefined, 'the last reply has such a call', callId);
    return call;
  }

  #settle(callId: string, content: ToolContent): void {
    const call = this.call(callId);
    must(call.result === undefined, 'a call has one result', callId);
    call.result = content;
  }
}
