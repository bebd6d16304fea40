import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JournalHeld } from '../../src/journal/journal.ts';
import { acquireLock, holderOf } from '../../src/journal/lock.ts';
import { startContenders } from './contenders.ts';
import { DEAD, filesBeside, journalPlace, startHolder, startNeglectedHolder, writeLock } from './locks.ts';

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
  const contenders = startContenders();

  it('exactly one of two gets it, ten times', () => contenders.takeAtOnce(2, 10));

  it('exactly one of four gets it from a dead holder, ten times', () =>
    contenders.takeAtOnce(4, 10, (file) => writeLock(file, DEAD)));

  it('no two ever hold it, however fast they take it, give it back and die', () => contenders.churn(10));
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
