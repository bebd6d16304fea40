import { type EventObject, fromCallback } from 'xstate';
import type { JobInputs, JobName } from '../../machines/context.ts';
import type { LoopEvent, StopCalls } from '../../machines/events.ts';
import type { TaskEvent, TaskJobInputs, TaskJobName } from '../../machines/task.ts';
import { JournalError } from '../journal/journal.ts';

/** What a job gets: its input, a signal that aborts when its state is left, and a voice. */
export interface Scope<Input, Event> {
  readonly input: Input;
  readonly signal: AbortSignal;
  /** Speaks to the machine; after an abort nobody listens. */
  readonly send: (event: Event) => void;
  /** Only `executeTools` is ever told to stop before it is aborted. */
  readonly onStop: (listener: (event: StopCalls) => void) => void;
}
export type JobScope<Name extends JobName> = Scope<JobInputs[Name], LoopEvent>;
export type JobWork<Name extends JobName> = (scope: JobScope<Name>) => Promise<void>;
/** The same for the task around the loop. */
export type TaskWork<Name extends TaskJobName> = (
  scope: Scope<TaskJobInputs[Name], TaskEvent>,
) => Promise<void>;

/** Both machines end where a record could not be written. */
type Heard = Extract<LoopEvent, { type: 'record.failed' }>;

/** Made once: a job is left several times a turn, and an error of its own would cost a stack trace each time. */
const LEFT = new Error('the state that this job belongs to was left');

/** Whether a state was left. A signal that tells it is made for whoever asks: it costs as much as a short job. */
class Leaving {
  isLeft = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isLeft) this.#controller.abort(LEFT);
    return this.#controller.signal;
  }

  leave(): void {
    this.isLeft = true;
    this.#controller?.abort(LEFT);
  }
}

/**
 * The jobs of one run. They are ordinary async functions; a job that could not write its record ends the run through
 * the machine, any other throw is a defect and is reported to `onCrash`.
 */
export class Jobs {
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly onCrash: (error: unknown) => void) {}

  define<Input extends object, Event extends EventObject>(
    work: (scope: Scope<Input, Event | Heard>) => Promise<void>,
  ) {
    return fromCallback<StopCalls, Input>(({ input, sendBack, receive }) => {
      const leaving = new Leaving();
      const send = (event: Event | Heard) => {
        if (!leaving.isLeft) sendBack(event);
      };
      const failed = (error: unknown) => {
        if (error instanceof JournalError) send({ type: 'record.failed', message: error.message });
        else if (!leaving.isLeft) this.onCrash(error);
      };
      const scope = {
        input,
        send,
        onStop: receive,
        get signal() {
          return leaving.signal;
        },
      };
      const running = work(scope).catch(failed);
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
      return () => leaving.leave();
    });
  }

  /** Resolves when no job is running any more, or after the given time. */
  async idle(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.all(this.#running), late]);
    clearTimeout(timer);
  }
}
