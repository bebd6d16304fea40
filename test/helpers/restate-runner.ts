/** Runs options as `run` does, on an engine with a worker in this process. What cannot be sent is found by the run's id. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { foldRecords } from '../../src/journal/fold.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { RunOptions } from '../../src/options.ts';
import type { RunOutcome } from '../../src/outcome.ts';
import { later } from '../../src/permissions/approver.ts';
import { Admin } from '../../src/restate/admin.ts';
import { Ingress, type RunPlace } from '../../src/restate/ingress.ts';
import { workflowName } from '../../src/restate/protocol.ts';
import { startWorker, type Worker } from '../../src/restate/worker.ts';
import { RestateServer } from './restate-server.ts';

export class RestateRunner {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'pawl-runner-'));
  readonly workflow: string;
  readonly admin: Admin;
  readonly ingress: Ingress;
  readonly logs: string[] = [];
  readonly #options = new Map<string, RunOptions>();
  #worker: Worker | undefined;

  constructor(
    readonly server: RestateServer,
    readonly version: string,
    private readonly silenceMs?: number,
  ) {
    this.workflow = workflowName(version);
    this.admin = new Admin(server.admin);
    this.ingress = new Ingress(server.url);
  }

  /** @param silenceMs as the worker's */
  static async start(version = 'test', silenceMs?: number): Promise<RestateRunner> {
    const runner = new RestateRunner(await RestateServer.start(), version, silenceMs);
    await runner.serve();
    return runner;
  }

  async serve(port = 0): Promise<number> {
    mkdirSync(path.join(this.folder, 'workspaces'), { recursive: true });
    this.#worker = await startWorker({
      port,
      host: '127.0.0.1',
      identityKeys: [],
      ...(this.silenceMs !== undefined && { silenceMs: this.silenceMs }),
      version: this.version,
      concurrency: 16,
      workspaces: path.join(this.folder, 'workspaces'),
      blobs: path.join(this.folder, 'blobs'),
      tell: (line) => this.logs.push(line),
      onLog: (level, text) => this.logs.push(`${level} ${text}`),
      equip: async ({ options: { key } }) => {
        const options = this.#options.get(String(key));
        if (options === undefined) throw new Error(`no options for ${key}`);
        const { task: _, workspace: __, client, ...rest } = options;
        return { options: rest, clientFor: () => client, isAnsweredOutside: options.approver === later };
      },
    });
    await this.admin.register(`http://127.0.0.1:${this.#worker.port}`, this.workflow);
    return this.#worker.port;
  }

  get port(): number {
    return this.#worker?.port ?? 0;
  }

  /** Where it was. */
  serveAgain(): Promise<number> {
    return this.serve(this.port);
  }

  async leave(longestMs = 5_000): Promise<void> {
    await this.#worker?.close(longestMs);
  }

  async close(): Promise<void> {
    await this.leave();
    await this.server.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async submit(options: RunOptions): Promise<RunPlace> {
    const runId = options.runId ?? randomUUID();
    const key = randomUUID();
    this.#options.set(key, options);
    const place = { runId, workflow: this.workflow };
    const { task, workspace } = options;
    await this.ingress.submit(place, { task, workspace: workspace ?? process.cwd(), options: { key } });
    return place;
  }

  /** As `run`: the outcome with its messages. A signal cancels. */
  readonly run = async (options: RunOptions): Promise<RunOutcome> => {
    const place = await this.submit(options);
    const { signal, journal } = options;
    const cancel = () =>
      void this.ingress.cancel(place, { signal: signal?.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT' });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel);
    const outcome = await this.ingress.outcome(place, AbortSignal.timeout(120_000));
    signal?.removeEventListener('abort', cancel);
    const records = await this.records(place);
    for (const { seq, at, ...body } of records) journal?.append(body);
    return { ...outcome, messages: foldRecords(records).transcript.messages };
  };

  records(place: RunPlace): Promise<JournalRecord[]> {
    return this.admin.records(place, 0, path.join(this.folder, 'blobs'));
  }
}
