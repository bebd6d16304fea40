/** What it costs to be watched. Run apart from npm test: it needs time, and figures of a busy machine mean little. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InspectorServer } from '../../src/inspector/server.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { reviewed } from '../cli/journals.ts';
import { RunPlace } from '../cli/resumes.ts';
import type { Finished } from '../cli/support.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';
import { FeedReader } from '../inspector/support.ts';
import { linesOf } from '../journal/lines.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([\w-]{43})&run=(\S+)/;

/** The server behind a printed address. */
function serverIn(text: string): InspectorServer & { readonly runId: string } {
  const [, port, token, runId] = ADDRESS.exec(text) ?? [];
  return { port: Number(port), token, runId } as unknown as InspectorServer & { readonly runId: string };
}

const median = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

describe('a run that is watched', () => {
  it('works no more than 5 % of a second for 100 records', async () => {
    const [TURNS, DELAY_MS] = [200, 25];
    const turn = (id: number) => ({
      delay_ms: DELAY_MS,
      // Never the same call, or the run would be stuck.
      calls: [{ name: 'read_file', input: { path: `p${id}` }, id: `toolu_${id}` }],
    });
    place.write('s.json', [...Array.from({ length: TURNS }, (_, id) => turn(id)), { text: 'done' }]);
    /** Milliseconds of processor time, with those of all that it started, and how long the run took. */
    const worked = async (flag: string) => {
      const command = `pawl run --script s.json --max-turns 300 ${flag} --output-format json "the task" 2> err.txt`;
      const finished = place.shell(`TIMEFORMAT='%U %S'; time ${command}`);
      if (flag === '') return timesOf(await finished);
      await place.until(() => place.has('err.txt') && ADDRESS.test(place.read('err.txt')));
      const server = serverIn(place.read('err.txt'));
      const reader = await FeedReader.of(server, server.runId);
      const times = timesOf(await finished);
      expect(reader.seqs.at(-1)).toBe(place.records(server.runId).length - 1);
      return { ...times, records: reader.seqs.length };
    };
    const timesOf = ({ stdout, stderr }: Finished) => ({
      workMs: stderr.split(' ').reduce((sum, time) => sum + Number(time) * 1_000, 0),
      runMs: JSON.parse(stdout).duration_ms as number,
      records: 0,
    });
    const alone: number[] = [];
    const watched: number[] = [];
    const paces: number[] = [];
    let records = 0;
    for (let pair = 0; pair < 3; pair += 1) {
      alone.push((await worked('')).workMs);
      const run = await worked('--inspect');
      watched.push(run.workMs);
      records = run.records;
      paces.push((records / run.runMs) * 1_000);
      place.write('err.txt', '');
    }
    // The least of each: what else the machine does only adds to the work.
    const workMs = ((Math.min(...watched) - Math.min(...alone)) / records) * 100;
    console.log(
      `work for 100 records in ms: ${workMs.toFixed(1)}, at ${median(paces).toFixed(0)} of them a second`,
    );
    expect(workMs).toBeLessThan(50);
  });
});

describe('a run of 10,000 records', () => {
  const RECORDS = 10_000;
  const bodies = (): RecordBody[] => {
    const turn = (n: number): RecordBody[] => [
      reply(n, message('tool_use', text('I look.'), toolUse(`t${n}`, 'bash', { command: 'ls' }))),
      reviewed(n, `t${n}`),
      { type: 'tool.started', turn: n, callId: `t${n}` },
      finished(n, `t${n}`, 'y'.repeat(1_000)),
      recorded(n, `t${n}`),
    ];
    return [header(), ...Array.from({ length: RECORDS / 5 }, (_, n) => turn(n + 1)).flat()];
  };

  /** The most memory that a process has had, in megabytes. */
  const peak = (pid = 0): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

  /** Milliseconds of processor time; they are the same on a machine that is busy with something else. */
  const workedMs = (pid = 0): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };

  it('is sent with less than a second of work, and the memory of the server stays bounded, also where readers are stuck', async () => {
    const file = place.file('long.jsonl');
    writeFileSync(file, linesOf(bodies()).join(''));
    const serving = place.start(['inspect', file]);
    let seen = '';
    serving.child.stdout?.on('data', (data) => {
      seen += data;
    });
    await place.until(() => ADDRESS.test(seen));
    const server = serverIn(seen);
    const before = peak(serving.child.pid);
    const workedBefore = workedMs(serving.child.pid);
    const first = await FeedReader.of(server, server.runId);
    await first.until(({ told }) => told.at(-1)?.event === 'live', 60_000);
    const openedMs = workedMs(serving.child.pid) - workedBefore;
    expect(first.seqs).toHaveLength(RECORDS + 1);
    const stuck = await Promise.all(Array.from({ length: 10 }, () => FeedReader.of(server, server.runId)));
    for (const { response } of stuck) response.pause();
    const more = await Promise.all([1, 2, 3].map(() => FeedReader.of(server, server.runId)));
    for (const reader of more) await reader.until(({ told }) => told.at(-1)?.event === 'live', 60_000);
    const growth = peak(serving.child.pid) - before;
    console.log(`sent with ${openedMs} ms of work, memory grew by ${growth.toFixed(0)} MB`);
    serving.child.kill('SIGINT');
    expect((await serving.finished).code).toBe(0);
    expect(openedMs).toBeLessThan(1_000);
    expect(growth).toBeLessThan(100);
  });
});
