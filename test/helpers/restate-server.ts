/** The real engine, from npm, on free ports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const platform = `${process.platform}-${process.arch}`;
const BINARY = createRequire(import.meta.url).resolve(
  `@restatedev/restate-server-${platform}/bin/restate-server`,
);

export class RestateServer {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'pawl-restate-'));
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(
    private readonly ports: { readonly ingress: number; readonly admin: number; readonly node: number },
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** @param env more settings of the server */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<RestateServer> {
    const [ingress = 0, admin = 0, node = 0] = await freePorts(3);
    const server = new RestateServer({ ingress, admin, node }, env);
    await server.up();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.ingress}`;
  }

  get admin(): string {
    return `http://127.0.0.1:${this.ports.admin}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Begins it, or begins it again on what it has kept. */
  async up(): Promise<void> {
    const { ingress, admin, node } = this.ports;
    const args = ['--bind-ip', '127.0.0.1', '--bind-port', `${node}`, '--advertised-host', '127.0.0.1'];
    const child = spawn(
      BINARY,
      [...args, '--listen-mode', 'tcp', '--base-dir', this.folder, '--node-name', 'n1', '--no-logo'],
      {
        env: {
          PATH: process.env.PATH,
          DO_NOT_TRACK: '1',
          RESTATE_INGRESS__BIND_PORT: `${ingress}`,
          RESTATE_ADMIN__BIND_PORT: `${admin}`,
          RESTATE_LOG_FILTER: 'warn',
          ...this.env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    const keep = (text: Buffer) => {
      this.#output = `${this.#output}${text}`.slice(-20_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    for (let tries = 0; !(await isHealthy(this.url, this.admin)); tries += 1) {
      if (tries > 300 || child.exitCode !== null)
        throw new Error(`the engine does not start: ${this.#output}`);
      await sleep(50);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function isHealthy(url: string, admin: string): Promise<boolean> {
  try {
    const answers = await Promise.all([fetch(`${url}/restate/health`), fetch(`${admin}/health`)]);
    return answers.every(({ ok }) => ok);
  } catch {
    return false;
  }
}

/** Held all at once, so that no port comes twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
