/** Runs whose folder is not there any more. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifyRecords } from '../../src/journal/verify.ts';
import { EnginePlace } from '../helpers/engine-place.ts';

const bash = (command: string) => ({ calls: [{ name: 'bash', id: 'call_1', input: { command } }] });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 300) throw new Error('the moment never came');
    await sleep(50);
  }
}

/** A run in a folder that is taken away while nobody has the run. @param words more flags of `pawl submit` */
async function homeless(command: string, words: readonly string[], isAt: (place: EnginePlace) => boolean) {
  const place = await EnginePlace.open();
  place.write('s.json', [bash(command), { text: 'done' }]);
  const folder = path.join(place.base, 'project');
  mkdirSync(folder);
  const worker = await place.worker();
  const submit = ['submit', '--sandbox', 'off', '--script', 's.json', '-C', folder, ...words, 'the task'];
  const runId = (await place.pawl(submit)).stdout.trim();
  await until(async () => isAt(place) || ((await place.engineRun(runId)).glance?.isWaiting ?? false));
  await worker.kill();
  rmSync(folder, { recursive: true });
  return { place, folder, runId, next: await place.worker([], worker.port) };
}

describe('a run whose folder is gone', () => {
  it('is tried again, says why, and ends where it is cancelled: no command of it is begun', async () => {
    const begun = (place: EnginePlace) => existsSync(path.join(place.base, 'project', 'begun'));
    const { place, runId, next } = await homeless('touch begun; sleep 60', ['--yes'], begun);
    await until(async () => {
      const { stdout } = await place.pawl(['runs', '--json', '--restate', place.engine.url]);
      const [run] = JSON.parse(stdout) as { status: string; problem: string | null }[];
      return run?.status === 'interrupted' && (run.problem?.includes('is not on this worker') ?? false);
    });
    const cancelled = await place.pawl(['cancel', runId]);
    expect(cancelled.code).toBe(0);
    await place.ended(runId, 20_000);
    const records = await place.engineRecords(runId);
    expect(records.at(-1)).toMatchObject({ type: 'run.ended', status: 'cancelled' });
    expect(verifyRecords(records)).toBeUndefined();
    expect(JSON.stringify(records)).toContain('outcome is unknown');
    next.child.kill('SIGTERM');
    const { stderr } = await next.finished;
    expect(stderr.split('\n').filter((line) => line.includes('is not on this worker'))).toHaveLength(1);
  });

  it('ends where it is cancelled while a call of it waits for a word', async () => {
    const { place, runId } = await homeless('touch begun', [], () => false);
    expect((await place.pawl(['cancel', runId])).code).toBe(0);
    await place.ended(runId, 20_000);
    expect((await place.engineRecords(runId)).at(-1)).toMatchObject({ status: 'cancelled' });
  });

  it('goes on where the folder is back, and has heard a word meanwhile', async () => {
    const { place, runId, folder } = await homeless('touch begun', [], () => false);
    await place.pawl(['approve', runId, 'call_1', '--restate', place.engine.url]);
    await until(
      async () => (await place.engineRun(runId)).trouble?.includes('is not on this worker') ?? false,
    );
    mkdirSync(folder);
    await place.ended(runId, 20_000);
    expect((await place.engineRecords(runId)).at(-1)).toMatchObject({ status: 'answered' });
    expect(existsSync(path.join(folder, 'begun'))).toBe(true);
  });
});
