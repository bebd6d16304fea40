// Measures pawl against a bare loop on the same SDK, the same server and in the same run. Each figure is the median of
// pairs, pawl and bare in turn, so that a machine that grows slower slows both.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const here = path.dirname(new URL(import.meta.url).pathname);
const folder = await mkdtemp(path.join(process.env.PAWL_BENCH_DIR ?? tmpdir(), 'pawl-bench-'));
await writeFile(path.join(folder, 'notes.txt'), 'A line of notes.\n'.repeat(12));
const RESULT_BYTES = 2_040;
const longResults = path.join(folder, 'long-results');
await mkdir(longResults);
await writeFile(path.join(longResults, 'notes.txt'), 'A line of notes.\n'.repeat(RESULT_BYTES / 17));

const server = spawn(process.execPath, [path.join(here, 'bench/server.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const { value: address } = await lines.next();
const arrivals = new Map();
const reading = (async () => {
  for await (const line of lines) {
    const [run, , at] = line.split(' ');
    arrivals.set(run, [...(arrivals.get(run) ?? []), Number(at)]);
  }
})();

let runs = 0;
/** Runs one process against the server. Times in milliseconds, memory in kilobytes. */
async function measure(command, { turns, calls = 1, tool = 'read_file', cwd = folder, home = 'state' }) {
  runs += 1;
  const run = `run${runs}`;
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, command, {
    cwd,
    env: {
      ...process.env,
      ANTHROPIC_BASE_URL: `${address}/r/${run}/${turns}/${calls}/${tool}`,
      ANTHROPIC_API_KEY: 'none',
      PAWL_HOME: path.join(folder, home),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const wallMs = performance.timeOrigin + performance.now() - startedAt;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${errors}`);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const at = arrivals.get(run) ?? [];
  /** From request to request: what a turn takes. */
  const gapsMs = at.slice(1).map((time, index) => time - at[index]);
  return {
    wallMs,
    firstRequestMs: at[0] - startedAt,
    spanMs: at.at(-1) - at[0],
    gapsMs,
    turnMs: gapsMs.length > 0 ? median(gapsMs) : 0,
    maxRssKb: output.startsWith('{"maxRssKb"') ? JSON.parse(output).maxRssKb : 0,
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const BARE = [path.join(here, 'bench/bare-loop.mjs')];
const PAWL = [path.join(here, 'bench/pawl-loop.mjs')];
const CHECKPOINTING = [path.join(here, 'bench/checkpoint-loop.mjs')];
const RESUME = [path.join(here, '../dist/cli.js'), 'resume', '--last', 'And now?'];
const CLI = [
  path.join(here, '../dist/cli.js'),
  'run',
  'read the notes',
  '--tools',
  'read_file',
  '-m',
  'bench',
];

async function pairs(count, a, b, options) {
  const as = [];
  const bs = [];
  for (let at = 0; at < count; at += 1) {
    as.push(await measure(a, options));
    bs.push(await measure(b, options));
  }
  return (field) => {
    const [x, y] = [median(as.map((one) => one[field])), median(bs.map((one) => one[field]))];
    return { pawl: x, bare: y, ratio: median(as.map((one, index) => one[field] / bs[index][field])) };
  };
}
async function wall(command, count) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, command, { stdio: 'ignore' });
    await new Promise((resolve) => child.on('close', resolve));
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const rows = [];
const row = (what, value, limit, passed) => {
  rows.push(passed);
  console.log(`${passed ? 'ok  ' : 'MISS'} ${what.padEnd(44)} ${value.padEnd(46)} limit ${limit}`);
};
const ratioRow = (what, { pawl, bare, ratio }, unit, limit) =>
  row(
    what,
    `${pawl.toFixed(2)} against ${bare.toFixed(2)} ${unit}, ratio ${ratio.toFixed(2)}`,
    limit,
    ratio <= limit,
  );

// A short run is the harder one: pawl has more code than the bare loop, and cold code is slow.
for (const turns of [200, 500]) {
  const pair = await pairs(7, PAWL, BARE, { turns });
  ratioRow(`a turn, journal synced (${turns} turns)`, pair('turnMs'), 'ms', 1.5);
}

const long = await pairs(3, PAWL, BARE, { turns: 2000, home: 'long' });
ratioRow('a run of 2,000 turns', long('spanMs'), 'ms', 1.15);
ratioRow('its memory, largest', long('maxRssKb'), 'kB', 1.2);

/** A run with results of 2 KB, on the disk: against a loop that saves nothing, and one that saves all it has each time. */
const TURNS = 800;
const sizes = async (home) => {
  const runs = path.join(folder, home, 'runs');
  return Promise.all((await readdir(runs)).map(async (name) => (await stat(path.join(runs, name))).size));
};
const durable = await pairs(3, PAWL, BARE, { turns: TURNS, cwd: longResults, home: 'durable' });
ratioRow(`a durable run of ${TURNS} turns, 2 KB results`, durable('spanMs'), 'ms', 1.15);
const journal = median(await sizes('durable'));
const results = TURNS * RESULT_BYTES;
row(
  'its journal over the bytes of its results',
  `${(journal / 1e6).toFixed(2)} over ${(results / 1e6).toFixed(2)} MB, ratio ${(journal / results).toFixed(2)}`,
  '1.2',
  journal / results <= 1.2,
);
const checkpointing = await measure(CHECKPOINTING, { turns: TURNS, cwd: longResults, home: 'checkpoints' });
const [checkpoints] = await sizes('checkpoints');
console.log(
  `     a loop that saves its messages at each step      ${(checkpointing.spanMs / durable('spanMs').bare).toFixed(1)} times the bare loop, ${(checkpoints / 1e6).toFixed(0)} MB`,
);

/** The newest run of 2,000 turns has about 10,000 records. From the start of the process that goes on with it: */
const resumed = [];
for (let at = 0; at < 5; at += 1)
  resumed.push((await measure(RESUME, { turns: 1, home: 'long' })).firstRequestMs);
const aboveNode = median(resumed) - (await wall(['-e', '0'], 5));
row(
  '10,000 records to the next request',
  `${aboveNode.toFixed(0)} ms above node -e 0`,
  '400 ms',
  aboveNode < 400,
);

const rounds = [];
for (let at = 0; at < 3; at += 1)
  rounds.push(...(await measure(PAWL, { turns: 8, calls: 16, tool: 'slow_read' })).gapsMs);
row('16 calls of 100 ms in one reply', `${median(rounds).toFixed(1)} ms`, '115 ms', median(rounds) < 115);

const start = await pairs(9, CLI, BARE, { turns: 1 });
ratioRow('process start to first request', start('firstRequestMs'), 'ms', 1);

const [help, node] = [await wall([CLI[0], '--help'], 15), await wall(['-e', '0'], 15)];
row(
  'pawl --help over node -e 0',
  `${(help - node).toFixed(1)} ms (${help.toFixed(1)} - ${node.toFixed(1)})`,
  '60 ms',
  help - node < 60,
);

// What a command costs above the process itself: the tool in a sandbox, where there is one, and a bare shell, in turn.
const { builtinTools, confine } = await import('../dist/index.js');
const bash = builtinTools().find(({ name }) => name === 'bash');
const view = { workspace: longResults, network: false, hidden: [], environment: process.env };
const confinement = await confine(view);
const { signal } = new AbortController();
const timed = async (work) => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};
const shell = () =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-c', 'true'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.on('close', resolve);
  });
if (confinement.by === null) console.log(`     no command is measured: ${confinement.reason}`);
else {
  const above = [];
  for (let at = 0; at < 60; at += 1) {
    const { sandbox } = confinement;
    const confined = await timed(() =>
      bash.run({ command: 'true' }, { workspace: longResults, sandbox, signal }),
    );
    above.push(confined - (await timed(shell)));
  }
  row(
    'a bash call in its sandbox, above the process',
    `${median(above).toFixed(1)} ms (at best ${Math.min(...above).toFixed(1)})`,
    '15 ms',
    median(above) < 15,
  );
}

server.kill();
await reading;
await rm(folder, { recursive: true });
process.exitCode = rows.every(Boolean) ? 0 : 1;
