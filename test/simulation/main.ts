/**
 * Plays many simulated runs: `npx tsx test/simulation/main.ts [--runs 100000] [--seed 1] [--report FILE]`. A run is
 * repeated by its own seed: `--runs 1 --seed 4711`. The report counts each thousand runs as one test.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { addSeries, playSeries, type Series } from './series.ts';

/** Runs of one test, and of one worker. */
const BLOCK = 1_000;
/** A short-lived heap of its usual size would be cleared all the time. */
const WORKER_FLAGS = ['--max-semi-space-size=32'];

interface Block {
  readonly seed: number;
  readonly runs: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      report: { type: 'string' },
    },
  });
  const [seed, runs] = [wholeNumber(values.seed), wholeNumber(values.runs)];
  console.log(`simulation: ${runs} runs from seed ${seed}`);
  const blocks: Block[] = [];
  for (let at = 0; at < runs; at += BLOCK) blocks.push({ seed: seed + at, runs: Math.min(BLOCK, runs - at) });
  const all = await playAll(blocks);
  const { broken, sums, runs: played } = addSeries(all);
  console.log(JSON.stringify(sums));
  console.log(`simulation: ${played} runs played, ${broken.length} broken, from seed ${seed}`);
  const failed = all.filter((series) => series.broken.length > 0).length;
  if (values.report !== undefined)
    writeFileSync(
      values.report,
      JSON.stringify({ numPassedTests: all.length - failed, numFailedTests: failed }),
    );
  if (failed > 0) process.exitCode = 1;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new TypeError(`${text} is not a whole number from 0 on.`);
  return value;
}

/** Each block in a process of its own, as many at a time as there are processors. */
async function playAll(blocks: readonly Block[]): Promise<Series[]> {
  const play = blocks.length === 1 ? ({ seed, runs }: Block) => playSeries(seed, runs) : inChild;
  const left = [...blocks];
  const done: Series[] = [];
  const worker = async () => {
    for (let block = left.shift(); block !== undefined; block = left.shift()) {
      const series = await play(block);
      done.push(series);
      // As they are found, not at the end: whoever waits for the rest can look at them already.
      for (const text of series.broken) console.log(text);
      if (done.length % 10 === 0) console.log(`simulation: ${done.length} of ${blocks.length} blocks played`);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return done;
}

function inChild(block: Block): Promise<Series> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { execArgv: [...process.execArgv, ...WORKER_FLAGS] });
    let series: Series | undefined;
    child.on('message', (message) => {
      series = message as Series;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (series) resolve(series);
      else reject(new Error(`the runs from seed ${block.seed} on ended with exit code ${code}`));
    });
    child.send(block);
  });
}

if (process.send) {
  process.once('disconnect', () => process.exit());
  process.once('message', async (message) => {
    const { seed, runs } = message as Block;
    process.send?.(await playSeries(seed, runs), () => process.disconnect());
  });
} else await main();
