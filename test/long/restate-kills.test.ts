/** Whoever of worker and engine is killed, at whatever moment: the run ends, no effect is made twice, and the service finds nothing wrong. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifyRecords } from '../../src/journal/verify.ts';
import { violationsOf } from '../field/served.ts';
import { EnginePlace } from '../helpers/engine-place.ts';
import type { StrictReply, StrictRequest } from '../helpers/strict-server.ts';

const TURNS = 4;

/** The same to the same request, as often as it is asked. */
const replyTo = ({ body }: StrictRequest): StrictReply => {
  const turn = (body.messages as { role: string }[]).filter(({ role }) => role === 'assistant').length + 1;
  const usage = { input_tokens: 100, output_tokens: 20 };
  if (turn > TURNS) return { content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn', usage };
  const id = (name: string) => `turn_${turn}_${name}`;
  const bash = { command: `echo ${id('bash')} >> log.txt; sleep 0.4; echo ${id('late')} >> log.txt` };
  return {
    content: [
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'text', text: `Turn ${turn}.` },
      { type: 'tool_use', id: id('look'), name: 'list_files', input: { path: '.' } },
      { type: 'tool_use', id: id('bash'), name: 'bash', input: bash },
      { type: 'tool_use', id: id('write'), name: 'write_file', input: { path: `${turn}.txt`, content: 'x' } },
    ],
    stop_reason: 'tool_use',
    usage,
  };
};

/** @param disturb is told how often the tool has begun so far */
async function disturbed(disturb: (place: EnginePlace, runId: string, begun: () => number) => Promise<void>) {
  const place = await EnginePlace.open();
  const service = await place.serve(...Array.from({ length: 60 }, () => replyTo as unknown as StrictReply));
  await place.worker([], 0);
  const runId = await place.submit({ yes: true });
  const log = path.join(place.workspaces, runId, 'log.txt');
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
  await disturb(place, runId, () => lines().filter((line) => line.endsWith('bash')).length);
  await place.ended(runId);
  const records = await place.engineRecords(runId);
  const ends = records.flatMap((record) => (record.type === 'tool.finished' ? [record] : []));
  const unknown = ends.filter(({ content }) => String(content).includes('outcome is unknown'));
  return { place, records, lines: lines(), service, unknown: unknown.map(({ callId }) => callId) };
}

const until = async (isSo: () => boolean) => {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 3_000) throw new Error('the moment never came');
    await sleep(10);
  }
};

function expectWhole({ records, lines, service, unknown }: Awaited<ReturnType<typeof disturbed>>): void {
  expect(records.at(-1)).toMatchObject({ type: 'run.ended', status: 'answered', turns: TURNS + 1 });
  expect(verifyRecords(records)).toBeUndefined();
  expect(violationsOf(service)).toEqual([]);
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  // What the model was told is done has been done; what has not been is called unknown.
  const done = Array.from({ length: TURNS }, (_, at) => `turn_${at + 1}_late`);
  expect(
    done.filter((line) => !lines.includes(line) && !unknown.includes(line.replace('late', 'bash'))),
  ).toEqual([]);
}

describe('a run on the engine', () => {
  it('goes on behind a worker that was killed in the middle of a tool, whose outcome is then unknown', async () => {
    const found = await disturbed(async (place, _, begun) => {
      await until(() => begun() === 2);
      const [uri = ''] = await place.deployments();
      const port = Number(new URL(uri).port);
      await place.killWorkers();
      await place.worker([], port);
    });
    expectWhole(found);
    expect(found.unknown).toEqual(['turn_2_bash']);
  });

  it('goes on behind an engine that was killed in the middle of a tool: the tool is stopped, and its outcome unknown', async () => {
    const found = await disturbed(async (place, _, begun) => {
      await until(() => begun() === 2);
      await place.engine.kill();
      await sleep(300);
      await place.engine.up();
    });
    expectWhole(found);
    expect(found.unknown).toEqual(['turn_2_bash']);
  });

  it('goes on behind both', async () => {
    const found = await disturbed(async (place, _, begun) => {
      await until(() => begun() === 1);
      const [uri = ''] = await place.deployments();
      await Promise.all([place.engine.kill(), place.killWorkers()]);
      await place.engine.up();
      await place.worker([], Number(new URL(uri).port));
    });
    expectWhole(found);
    expect(found.unknown).toEqual(['turn_1_bash']);
  });

  it.each([1, 2, 3])('survives kills of either at any moment, seed %i', async (seed) => {
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const found = await disturbed(async (place) => {
      const [uri = ''] = await place.deployments();
      const port = Number(new URL(uri).port);
      for (let kill = 0; kill < 8; kill += 1) {
        await sleep(random() * 900);
        if (random() < 0.7) {
          await place.killWorkers();
          await place.worker([], port);
        } else {
          await place.engine.kill();
          await place.engine.up();
        }
      }
    });
    expectWhole(found);
  });
});
