/** The engine's ingress: how a run is submitted and waited for, and what is said to it. The engine keeps it all; workers may be away. */
import { connect, HttpCallError, Opts, SendOpts, type Serde, serde } from '@restatedev/restate-sdk-clients';
import { EngineError, orEngineError } from './engine-error.ts';
import type { CallDecision, Cancel, Outcome, Submission } from './protocol.ts';

/** A run by its name and the workflow that it is one of. */
export interface RunPlace {
  readonly runId: string;
  readonly workflow: string;
}

/** As the client wants it: an interface is no record to it. */
type Handlers = {
  run: (context: unknown, submission: Submission) => Promise<Outcome>;
};

/** The run came to no outcome: a defect ended it, or it could not be begun (`code` 400). */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

export class Ingress {
  readonly #connection;

  constructor(readonly url: string) {
    this.#connection = connect({ url });
  }

  /** Twice under one name is once. @throws EngineError, where nobody serves the workflow too */
  async submit({ runId, workflow }: RunPlace, submission: Submission): Promise<void> {
    await this.#asked(workflow, () => this.#workflow(workflow, runId).workflowSubmit(submission));
  }

  /** @throws RunFailed, EngineError */
  async outcome({ runId, workflow }: RunPlace, signal: AbortSignal): Promise<Outcome> {
    try {
      return await this.#asked(workflow, () =>
        this.#workflow(workflow, runId).workflowAttach(Opts.from({ signal })),
      );
    } catch (error) {
      if (error instanceof EngineError && error.cause instanceof HttpCallError)
        throw new RunFailed(messageIn(error.cause), error.cause.status);
      throw error;
    }
  }

  decide(run: RunPlace, decision: CallDecision): Promise<void> {
    return this.#say(run, 'decide', decision);
  }

  cancel(run: RunPlace, cancel: Cancel): Promise<void> {
    return this.#say(run, 'cancel', cancel);
  }

  async #say({ runId, workflow }: RunPlace, handler: string, parameter: object): Promise<void> {
    const opts = SendOpts.from<object>({ input: serde.json as Serde<object> });
    await this.#asked(workflow, () =>
      this.#connection.send({ service: workflow, handler, key: runId, parameter, opts }),
    );
  }

  #workflow(workflow: string, runId: string) {
    return this.#connection.workflowClient<Handlers>({ name: workflow }, runId);
  }

  async #asked<Value>(workflow: string, ask: () => PromiseLike<Value>): Promise<Value> {
    return orEngineError(this.url, async () => {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof HttpCallError)) throw error;
        const problem =
          error.status === 404
            ? `no worker has ever served ${workflow} at this engine. Start one of this version: pawl worker`
            : messageIn(error);
        throw new EngineError(`Restate at ${this.url}: ${problem}`, { cause: error });
      }
    });
  }
}

function messageIn({ responseText, message }: HttpCallError): string {
  try {
    return String((JSON.parse(responseText) as { message?: unknown }).message ?? message);
  } catch {
    return message;
  }
}
