/** One attempt of the engine to get a run on: this process has the run until it has ended or the connection is lost. */
import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type RestatePromise,
  type Serde,
  TerminalError,
  type WorkflowContext,
} from '@restatedev/restate-sdk/node';
import { OptionsError } from '../checks/options-error.ts';
import type { Journal } from '../journal/journal.ts';
import type { RecordBody } from '../journal/record.ts';
import { RunLog } from '../journal/run-log.ts';
import type { Transcript } from '../journal/transcript.ts';
import { BlobError, pack, unpack } from './blobs.ts';
import { NotHere } from './shop.ts';
import { NoSlot, type Slots } from './slots.ts';
import { Waits } from './waits.ts';

/** What a step has found out, in its order. `at`: when, in milliseconds since 1970. */
type Said<Event> = { readonly at: number } & ({ readonly record: RecordBody } | { readonly event: Event });

/** What a job is given while it is a step. */
export interface StepScope<Event> {
  readonly log: RunLog;
  /** Aborted when the state of the job is left, and when the attempt is over: another worker may be at it by then. */
  readonly signal: AbortSignal;
  readonly send: (event: Event) => void;
}

export interface StepSignals {
  /** Ends the work. */
  readonly stop: AbortSignal;
  /** From then on it is of no interest what the step comes to. */
  readonly leave?: AbortSignal;
}

export class Attempt {
  readonly waits: Waits;
  readonly over: AbortSignal;
  /** The time of the last news: a clock that shows the same whenever the run is gone through again. */
  now = 0;
  /** Why no step can be begun here, and the engine has to try again. */
  obstacle: NotHere | undefined;
  #stepsAtWork = 0;
  #isAccompanied = false;

  constructor(
    readonly context: WorkflowContext,
    private readonly slots: Slots,
    private readonly blobs: string,
    /** How long the engine bears with a run that it hears nothing of. */
    private readonly silenceMs: number,
    onRest: () => void,
  ) {
    this.over = context.request().attemptCompletedSignal;
    // Each job at work listens.
    setMaxListeners(0, this.over);
    this.waits = new Waits(onRest);
  }

  /** Sets a value that readers of the run see. @param text JSON */
  set(key: string, text: string): void {
    this.context.set(key, pack(this.blobs, text), TEXT);
  }

  /** A job, or a part of one, that the engine keeps the findings of. It is repeated where they got lost. */
  async step<Event>(
    name: string,
    transcript: Transcript,
    { stop, leave }: StepSignals,
    work: (scope: StepScope<Event>) => Promise<void>,
  ): Promise<readonly Said<Event>[]> {
    const signal = AbortSignal.any([stop, this.over, ...(leave ? [leave] : [])]);
    this.#accompany();
    const promise = this.keep(name, async () => {
      const said: Said<Event>[] = [];
      const log = new StepLog(transcript, (record) => said.push({ at: Date.now(), record }));
      await work({ log, signal, send: (event) => said.push({ at: Date.now(), event }) });
      return said;
    });
    this.#stepsAtWork += 1;
    try {
      return this.unpacked(await this.waits.for(promise, leave));
    } finally {
      this.#stepsAtWork -= 1;
    }
  }

  /**
   * A timer beside steps that last. The engine lets go of a run that it hears nothing of: the step would go on, but a cancel would
   * reach it no more. Beside a run that waits for a person there is none, so that the engine does let go of it.
   */
  #accompany(): void {
    if (this.#isAccompanied) return;
    this.#isAccompanied = true;
    const timer = this.context.sleep(this.silenceMs / 2, 'at work');
    void this.waits.for(timer).then(() => {
      this.#isAccompanied = false;
      if (this.#stepsAtWork > 0) this.#accompany();
    });
  }

  /** Tells the run what a step has found out: an event follows its record. */
  tell<Event>(said: readonly Said<Event>[], log: RunLog, send: (event: Event) => void): void {
    for (const one of said) {
      this.now = Math.max(this.now, one.at);
      if ('record' in one) log.note(one.record);
      else send(one.event);
    }
  }

  /** @returns what the work came to, as JSON or what stands for it. A defect ends the run. */
  keep(name: string, work: () => Promise<unknown>): RestatePromise<string> {
    const act = async () => {
      await this.#checkIsOurs();
      if (this.obstacle !== undefined) throw this.obstacle;
      const found = await work();
      // The work may have been cut off by it.
      this.over.throwIfAborted();
      return pack(this.blobs, JSON.stringify(found));
    };
    const judged = (error: unknown) => Promise.reject(this.#judged(error));
    return this.context.run(name, () => this.slots.use(this.over, act).catch(judged), { serde: TEXT });
  }

  /** @param packed what a step that was kept has come to */
  unpacked<Value>(packed: string): Value {
    return JSON.parse(unpack(this.blobs, packed)) as Value;
  }

  /**
   * A process that was stopped for a while may have been replaced. It learns of that with the news that the system has for
   * it, which are read between two turns of the event loop.
   */
  async #checkIsOurs(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    this.over.throwIfAborted();
  }

  #judged(error: unknown): unknown {
    const isElsewhere = error instanceof BlobError || error instanceof NotHere || error instanceof NoSlot;
    if (this.over.aborted || isElsewhere || error instanceof TerminalError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new TerminalError(message, { errorCode: error instanceof OptionsError ? 400 : 500 });
  }
}

/** As it is: a text in JSON would have its quotes doubled. */
const TEXT: Serde<string> = {
  contentType: 'application/json',
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
};

const NO_JOURNAL: Journal = {
  location: 'memory',
  append: () => {
    throw new Error('a step has no journal');
  },
  sync: async () => {},
  close: async () => {},
};

/** What a job notes while it is a step: it enters the log of the run once the engine has it. */
class StepLog extends RunLog {
  constructor(
    transcript: Transcript,
    private readonly say: (record: RecordBody) => void,
  ) {
    super(NO_JOURNAL, transcript, () => {});
  }

  override note(body: RecordBody): void {
    this.say(body);
  }
}
