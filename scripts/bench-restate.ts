/**
 * What the engine costs: milliseconds a turn above a run in one process, and runs a minute with one worker and with three. The
 * model is a server on this machine that answers at once, so that all that is measured is pawl and the engine.
 * Usage: npm run bench:restate [-- --runs 60 --turns 10]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newRunId } from '../src/journal/location.ts';
import { Admin } from '../src/restate/admin.ts';
import { Ingress } from '../src/restate/ingress.ts';
import { MACHINE_VERSION, workflowName } from '../src/restate/protocol.ts';
import { startBalancer } from '../test/helpers/balancer.ts';
import { freePorts, RestateServer } from '../test/helpers/restate-server.ts';

const { values } = parseArgs({ options: { runs: { type: 'string' }, turns: { type: 'string' } } });
const RUNS = Number(values.runs ?? 60);
const TURNS = Number(values.turns ?? 10);
/** For the time of a turn: long enough for a median. */
const LONG_RUN_TURNS = 100;

const root = path.resolve(import.meta.dirname, '..');
const CLI = path.join(root, 'dist/cli.js');
const folder = await mkdtemp(path.join(process.env.PAWL_BENCH_DIR ?? tmpdir(), 'pawl-bench-'));
const workspace = path.join(folder, 'work');
await mkdir(workspace);
for (let turn = 1; turn <= LONG_RUN_TURNS; turn += 1)
  await writeFile(path.join(workspace, `notes-${turn}.txt`), 'A line of notes.\n'.repeat(12));
const workflow = workflowName(MACHINE_VERSION);
const children: ChildProcess[] = [];

/** The address says how many turns a run has, and under which name its requests are counted. */
async function startModel() {
  const child = spawn(process.execPath, [path.join(root, 'scripts/bench/server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: address } = await lines.next();
  const arrivals = new Map<string, number[]>();
  void (async () => {
    for await (const line of lines) {
      const [run = '', , at] = line.split(' ');
      arrivals.set(run, [...(arrivals.get(run) ?? []), Number(at)]);
    }
  })();
  return { address, arrivals };
}
const model = await startModel();

const envOf = (run: string, turns: number) => ({
  PATH: process.env.PATH,
  HOME: folder,
  PAWL_HOME: path.join(folder, 'state'),
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_BASE_URL: `${model.address}/many/${run}/${turns}/1/read_file`,
});

/** Median milliseconds from request to request. */
async function turnMs(run: string): Promise<number> {
  await sleep(100);
  const at = model.arrivals.get(run) ?? [];
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  return gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
}

async function startPool(count: number, run: string, turns: number, engine: RestateServer) {
  const ports = await freePorts(count);
  const balancer = await startBalancer(ports);
  const workers = ports.map((port) => {
    const flags = [
      '--port',
      `${port}`,
      '--restate',
      engine.url,
      '--restate-admin',
      engine.admin,
      '--no-register',
    ];
    const child = spawn(process.execPath, [CLI, 'worker', ...flags], {
      env: envOf(run, turns),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.push(child);
    return child;
  });
  await Promise.all(workers.map(({ stderr }) => stderr && once(stderr, 'data')));
  await new Admin(engine.admin).register(`http://127.0.0.1:${balancer.port}`, workflow);
  return {
    async close() {
      for (const worker of workers) {
        worker.kill('SIGKILL');
        if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
      }
      balancer.close();
    },
    /** Of all workers so far. */
    cpuMs: async () => {
      let ticks = 0;
      for (const { pid } of workers) ticks += await ticksOf(pid);
      return ticks * 10;
    },
  };
}

/** User and system time, in hundredths of a second. Linux alone tells. */
async function ticksOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** Bytes of the values that readers see; what the engine needs to go on is dropped with the end of the run. */
async function keptOf(engine: RestateServer, runId: string): Promise<number> {
  const query = `SELECT sum(length(value)) AS n FROM state WHERE service_key = '${runId}'`;
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(`${engine.admin}/query`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  return ((await answer.json()) as { rows: { n: number }[] }).rows[0]?.n ?? 0;
}

async function submit(engine: RestateServer): Promise<string> {
  const runId = newRunId(Date.now(), Math.random);
  const options = { model: 'bench', tools: 'read_file', yes: true, sandbox: 'off', maxTurns: '100000' };
  await new Ingress(engine.url).submit({ runId, workflow }, { task: 'read the notes', workspace, options });
  return runId;
}

async function untilEnded(engine: RestateServer, runIds: readonly string[]): Promise<void> {
  const ingress = new Ingress(engine.url);
  const ends = runIds.map((runId) => ingress.outcome({ runId, workflow }, AbortSignal.timeout(600_000)));
  for (const { status } of await Promise.all(ends)) if (status !== 'answered') throw new Error(status);
}

try {
  console.log(`${cpus().length} processors, ${cpus()[0]?.model.trim()}, Node ${process.version}`);
  const local = spawn(
    process.execPath,
    [
      CLI,
      'run',
      'read the notes',
      '--tools',
      'read_file',
      '-m',
      'bench',
      '--max-turns',
      '100000',
      '-C',
      workspace,
    ],
    { env: envOf('local', LONG_RUN_TURNS), stdio: 'ignore' },
  );
  await once(local, 'exit');
  const here = await turnMs('local');
  for (const count of [1, 3]) {
    const engine = await RestateServer.start();
    try {
      const run = `alone${count}`;
      const alone = await startPool(count, run, LONG_RUN_TURNS, engine);
      await untilEnded(engine, [await submit(engine)]);
      await alone.close();
      const there = await turnMs(run);
      const pool = await startPool(count, `many${count}`, TURNS, engine);
      await untilEnded(engine, [await submit(engine)]);
      const engineTicks = await ticksOf(engine.pid);
      const [before, startedAt] = [await pool.cpuMs(), performance.now()];
      const runIds = [];
      for (let at = 0; at < RUNS; at += 1) runIds.push(await submit(engine));
      await untilEnded(engine, runIds);
      const seconds = (performance.now() - startedAt) / 1_000;
      const cpuMs = (await pool.cpuMs()) - before;
      const engineMs = ((await ticksOf(engine.pid)) - engineTicks) * 10;
      const keptBytes = await keptOf(engine, runIds[0] ?? '');
      await pool.close();
      const workers = count === 1 ? '1 worker ' : `${count} workers`;
      console.log(
        `${workers}  a turn: ${there.toFixed(1)} ms, in one process ${here.toFixed(1)} ms, so ${(there - here).toFixed(1)} ms for the engine`,
      );
      const all = RUNS * TURNS;
      console.log(
        `${workers}  ${RUNS} runs of ${TURNS} turns in ${seconds.toFixed(1)} s: ${((RUNS * 60) / seconds).toFixed(0)} runs a minute, ${((seconds * 1_000) / all).toFixed(1)} ms a turn`,
      );
      console.log(
        `${workers}  processor time a turn: workers ${(cpuMs / all).toFixed(1)} ms, engine ${(engineMs / all).toFixed(1)} ms; kept of a turn: ${(keptBytes / TURNS / 1_000).toFixed(1)} kB`,
      );
    } finally {
      await engine.remove();
    }
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}
