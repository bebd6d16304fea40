import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JournalHeld } from '../../src/journal/journal.ts';
import { acquireLock, holderOf } from '../../src/journal/lock.ts';
import { programFile } from '../helpers/programs.ts';
import { DEAD, filesBeside, journalPlace, startHolder, startNeglectedHolder, writeLock } from './locks.ts';
import type { Order } from './programs/contend.ts';

const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) (.).*$/s, '$1');

async function becomes(pid: number, state: string): Promise<void> {
  while (stateOf(pid) !== state) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('another process that holds the lock', () => {
  it('keeps it, idle or stopped; once it is killed it is replaced at once', async () => {
    const file = journalPlace();
    const { pid, child, exited } = await startHolder(file);
    const acquire = () => acquireLock(file);
    expect(acquire).toThrow(JournalHeld);
    expect(acquire).toThrow(`the run a-run is held by process ${pid} (since 20`);
    expect(holderOf(file)?.pid).toBe(pid);

    child.kill('SIGSTOP');
    await becomes(pid, 'T');
    expect(acquire).toThrow(JournalHeld);

    child.kill('SIGKILL');
    await exited;
    expect(holderOf(file)).toBeUndefined();
    acquire().release();
    expect(filesBeside(file)).toEqual([]);
  });

  it('keeps it while its event loop is blocked', async () => {
    const file = journalPlace();
    const { pid } = await startHolder(file, 'blocked');
    expect(() => acquireLock(file)).toThrow(`held by process ${pid}`);
  });

  it('is dead once it is killed, even if nobody has asked what became of it', async () => {
    const file = journalPlace();
    const pid = await startNeglectedHolder(file);
    expect(() => acquireLock(file)).toThrow(`held by process ${pid}`);
    process.kill(pid, 'SIGKILL');
    await becomes(pid, 'Z');
    acquireLock(file);
    expect(holderOf(file)?.pid).toBe(process.pid);
  });
});

describe('of several that want the lock at the same moment', () => {
  let contenders: ChildProcess[] = [];

  beforeAll(async () => {
    contenders = Array.from({ length: 4 }, () => fork(programFile('journal/contend'), { execArgv: [] }));
    await Promise.all(contenders.map((contender) => once(contender, 'message')));
  });
  afterAll(() => {
    for (const contender of contenders) contender.kill('SIGKILL');
  });

  const tell = (told: readonly ChildProcess[], order: Order): Promise<unknown[]> =>
    Promise.all(
      told.map(async (contender) => {
        contender.send(order);
        return (await once(contender, 'message'))[0];
      }),
    );

  async function rounds(told: readonly ChildProcess[], prepare: (file: string) => void): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      const file = journalPlace();
      prepare(file);
      const took = await tell(told, { type: 'take', file, at: Date.now() + 5 });
      expect(took.filter(Boolean)).toEqual([true]);
      expect(filesBeside(file)).toHaveLength(1);
      await tell(told, { type: 'release' });
      expect(filesBeside(file)).toEqual([]);
    }
  }

  it('exactly one of two gets it, fifty times', () => rounds(contenders.slice(0, 2), () => {}));

  it('exactly one of four gets it from a dead holder, fifty times', () =>
    rounds(contenders, (file) => writeLock(file, DEAD)));

  it('no two ever hold it, however fast they take it, give it back and die', async () => {
    const file = journalPlace();
    const counts = await tell(contenders, { type: 'churn', file, until: Date.now() + 1000 });
    expect(counts).toEqual(contenders.map(() => ({ taken: expect.any(Number), met: 0 })));
    const taken = (counts as { taken: number }[]).reduce((sum, { taken }) => sum + taken, 0);
    expect(taken).toBeGreaterThan(100);
    acquireLock(file).release();
    expect(filesBeside(file)).toEqual([]);
  });
});

describe('of processes that start together', () => {
  it('one holds the journal, and the others say who it is', async () => {
    const file = journalPlace();
    const started = await Promise.allSettled([1, 2].map(() => startHolder(file)));
    const pid = holderOf(file)?.pid;
    expect(started).toContainEqual({ status: 'fulfilled', value: expect.objectContaining({ pid }) });
    const reason = expect.objectContaining({
      message: expect.stringContaining(`JournalHeld: the run a-run is held by process ${pid} (`),
    });
    expect(started).toContainEqual({ status: 'rejected', reason });
  });
});
