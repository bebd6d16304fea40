/** A place with a real engine, whose workers are processes of the command. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { newRunId } from '../../src/journal/location.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { Admin, type EngineRun } from '../../src/restate/admin.ts';
import { Ingress } from '../../src/restate/ingress.ts';
import { MACHINE_VERSION, type Submission, workflowName } from '../../src/restate/protocol.ts';
import type { Finished } from '../cli/support.ts';
import { ServedPlace } from '../field/served.ts';
import { freePorts, RestateServer } from './restate-server.ts';

export interface WorkerProcess {
  readonly port: number;
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export class EnginePlace extends ServedPlace {
  readonly admin: Admin;
  readonly #ingress: Ingress;
  readonly #workers: WorkerProcess[] = [];

  private constructor(readonly engine: RestateServer) {
    super();
    this.admin = new Admin(engine.admin);
    this.#ingress = new Ingress(engine.url);
  }

  static async open(env: NodeJS.ProcessEnv = {}): Promise<EnginePlace> {
    const place = new EnginePlace(await RestateServer.start(env));
    onTestFinished(async () => {
      await Promise.all(place.#workers.map((worker) => worker.kill()));
      await place.engine.remove();
      place.remove();
    });
    return place;
  }

  override get env(): NodeJS.ProcessEnv {
    const { url, admin } = this.engine;
    return { ...super.env, PAWL_RESTATE: url, PAWL_RESTATE_ADMIN: admin };
  }

  get workspaces(): string {
    return path.join(this.base, 'workspaces');
  }

  /** Resolves once the worker listens, and, if it registers, once the engine knows it. */
  async worker(flags: readonly string[] = [], port = 0): Promise<WorkerProcess> {
    const own = port || ((await freePorts(1))[0] ?? 0);
    const shared = ['--port', `${own}`, '--workspaces', this.workspaces];
    const { child, finished } = this.start(['worker', ...shared, ...flags]);
    let told = '';
    child.stderr?.on('data', (piece: Buffer) => {
      told += piece;
    });
    const worker: WorkerProcess = {
      port: own,
      child,
      finished,
      async kill(signal = 'SIGKILL') {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, 'exit');
        child.kill(signal);
        await gone;
      },
    };
    this.#workers.push(worker);
    await this.#when(() => isListening(own), finished);
    // By its own word: its address may be known from before, and it ends where the engine is gone while it makes itself known.
    if (!flags.includes('--no-register'))
      await this.#when(async () => told.includes(', known to '), finished);
    return worker;
  }

  async killWorkers(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.kill()));
  }

  /** For workers that are behind a balancer. */
  register(port: number): Promise<void> {
    return this.admin.register(`http://127.0.0.1:${port}`, workflowName(MACHINE_VERSION));
  }

  async openRuns(): Promise<number> {
    return (await this.admin.runs(1_000)).filter(({ state }) => state !== 'completed').length;
  }

  async deployments(): Promise<string[]> {
    const answer = await fetch(`${this.engine.admin}/deployments`);
    const { deployments } = (await answer.json()) as { deployments: { uri: string }[] };
    return deployments.map(({ uri }) => uri);
  }

  /** As the command does, and faster. @param options flags of `pawl run` in the form in which they are sent. @returns the id of the run */
  async submit(options: Readonly<Record<string, unknown>>, more: Partial<Submission> = {}): Promise<string> {
    const runId = newRunId(Date.now(), Math.random);
    await this.#ingress.submit(
      { runId, workflow: workflowName(MACHINE_VERSION) },
      { task: 'the task', workspace: null, ...more, options: { sandbox: 'off', ...options } },
    );
    return runId;
  }

  async engineRun(runId: string): Promise<EngineRun> {
    const [run] = await this.admin.runs(1, runId);
    if (run === undefined) throw new Error(`the engine has no run ${runId}`);
    return run;
  }

  async engineRecords(runId: string): Promise<JournalRecord[]> {
    return this.admin.records(await this.engineRun(runId), 0, path.join(this.workspaces, '.blobs'));
  }

  /** Waits for the end of a run. @returns what its workflow has come to */
  async ended(runId: string, longestMs = 60_000): Promise<EngineRun> {
    const until = Date.now() + longestMs;
    for (;;) {
      const run = await this.engineRun(runId).catch(() => undefined);
      if (run?.state === 'completed') return run;
      if (Date.now() > until) throw new Error(`the run has not ended: ${JSON.stringify(run)}`);
      await sleep(100);
    }
  }

  async #when(isSo: () => Promise<boolean>, finished: Promise<Finished>): Promise<void> {
    const ended = finished.then(({ code, stderr }) => {
      throw new Error(`the worker has ended (${code}): ${stderr}`);
    });
    ended.catch(() => {});
    for (let tries = 0; tries < 300; tries += 1) {
      if (await Promise.race([isSo(), ended])) return;
      await Promise.race([sleep(50), ended]);
    }
    throw new Error('the worker does not begin');
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
