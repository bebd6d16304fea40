/** The engine's ingress: how a run is submitted and waited for, and what is said to it. The engine keeps it all; workers may be away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, HttpCallError, Opts, SendOpts, type Serde, serde } from '@restatedev/restate-sdk-clients';
import { EngineError, orEngineError } from './engine-error.ts';
import {
  approvalOf,
  CANCEL,
  type CallDecision,
  type Cancel,
  type Outcome,
  type Submission,
  wordKey,
} from './protocol.ts';

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

/** How long the engine may be away while somebody waits for a run. */
const LONGEST_AWAY_MS = 30_000;
const AGAIN_MS = 500;

export class Ingress {
  readonly #connection;

  constructor(readonly url: string) {
    this.#connection = connect({ url });
  }

  /** Twice under one name is once. @throws EngineError, where nobody serves the workflow too */
  async submit({ runId, workflow }: RunPlace, submission: Submission): Promise<void> {
    await this.#asked(workflow, () => this.#workflow(workflow, runId).workflowSubmit(submission));
  }

  /**
   * Waits for the end, however long that takes. The connection may break meanwhile: by a timer on the way, or since the engine is
   * away for a moment.
   * @throws RunFailed; EngineError where it stays away; the reason of the signal
   */
  async outcome({ runId, workflow }: RunPlace, signal: AbortSignal): Promise<Outcome> {
    for (let awaySince: number | undefined; ; ) {
      const askedAt = Date.now();
      try {
        return await this.#asked(workflow, () =>
          this.#workflow(workflow, runId).workflowAttach(Opts.from({ signal })),
        );
      } catch (error) {
        signal.throwIfAborted();
        const answer = error instanceof EngineError ? answerIn(error.cause) : undefined;
        if (answer?.source === 'invocation') throw new RunFailed(answer.message, answer.status);
        const wasThere = Date.now() - askedAt > LONGEST_AWAY_MS;
        awaySince = wasThere ? undefined : (awaySince ?? askedAt);
        if (awaySince !== undefined && Date.now() - awaySince > LONGEST_AWAY_MS) throw error;
        await sleep(AGAIN_MS, undefined, { signal });
      }
    }
  }

  /** @returns whether it counts: of several words on a call that is the first one, no worker need be there for that */
  decide(run: RunPlace, decision: CallDecision): Promise<boolean> {
    return this.#say(run, 'decide', decision, approvalOf(decision));
  }

  async cancel(run: RunPlace, cancel: Cancel): Promise<void> {
    await this.#say(run, 'cancel', cancel, CANCEL);
  }

  async #say(
    { runId, workflow }: RunPlace,
    handler: string,
    parameter: object,
    promise: string,
  ): Promise<boolean> {
    const opts = SendOpts.from<object>({
      input: serde.json as Serde<object>,
      idempotencyKey: wordKey(promise),
    });
    const { status } = await this.#asked(workflow, () =>
      this.#connection.send({ service: workflow, handler, key: runId, parameter, opts }),
    );
    return status === 'Accepted';
  }

  #workflow(workflow: string, runId: string) {
    return this.#connection.workflowClient<Handlers>({ name: workflow }, runId);
  }

  async #asked<Value>(workflow: string, ask: () => PromiseLike<Value>): Promise<Value> {
    return orEngineError(this.url, async () => {
      try {
        return await ask();
      } catch (error) {
        const answer = answerIn(error);
        if (answer === undefined) throw error;
        const problem =
          answer.status === 404 && answer.source !== 'invocation'
            ? `no worker has ever served ${workflow} at this engine. Start one of this version: pawl worker`
            : answer.message;
        throw new EngineError(`Restate at ${this.url}: ${problem}`, { cause: error });
      }
    });
  }
}

interface Answer {
  readonly status: number;
  readonly message: string;
  /** 'invocation': it is the run's own. */
  readonly source: unknown;
}

function answerIn(error: unknown): Answer | undefined {
  if (!(error instanceof HttpCallError)) return undefined;
  const { status, responseText, message } = error;
  try {
    const said = JSON.parse(responseText) as { readonly message?: unknown; readonly source?: unknown };
    return { status, message: String(said.message ?? message), source: said.source };
  } catch {
    return { status, message, source: undefined };
  }
}
