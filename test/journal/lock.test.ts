import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalError, JournalHeld } from '../../src/journal/journal.ts';
import { acquireLock, holderOf } from '../../src/journal/lock.ts';
import { parseHolder, standingOf, thisProcess } from '../../src/sandbox/holder.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { DEAD, filesBeside, holderIn, journalPlace, lockPath, writeLock } from './locks.ts';

const AT = '2026-11-30T09:45:12.000Z';
const CLEARED = expect.stringMatching(/^a-run\.lock-\d+$/);

describe('the lock of a journal', () => {
  it('says who holds it, for its owner alone to read', () => {
    const file = journalPlace();
    acquireLock(file, () => Date.parse(AT));
    expect(holderIn(file)).toEqual({
      pid: process.pid,
      startTime: expect.stringMatching(/^\d+$/),
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      pidNamespace: expect.stringMatching(/^pid:\[\d+\]$/),
      host: os.hostname(),
      since: AT,
    });
    expect(statSync(lockPath(file)).mode & 0o777).toBe(0o600);
    expect(filesBeside(file)).toEqual(['a-run.lock-1']);
  });

  it('is refused to everybody else, and the message names the holder', () => {
    const file = journalPlace();
    acquireLock(file, () => Date.parse(AT));
    const again = () => acquireLock(file);
    expect(again).toThrow(JournalHeld);
    expect(again).toThrow(new JournalHeld(`the run a-run is held by process ${process.pid} (since ${AT})`));
    expect(filesBeside(file)).toEqual(['a-run.lock-1']);
  });

  it('leaves nothing behind when it is released, and may be taken again', () => {
    const file = journalPlace();
    for (let round = 0; round < 3; round += 1) {
      acquireLock(file).release();
      expect(filesBeside(file)).toEqual([]);
    }
  });

  it('may be released twice, and never takes away what another holds since', () => {
    const file = journalPlace();
    const lock = acquireLock(file);
    rmSync(lockPath(file));
    acquireLock(file, () => 7);
    lock.release();
    lock.release();
    expect(() => acquireLock(file)).toThrow(JournalHeld);
  });

  it('is one for each run', () => {
    const file = journalPlace();
    acquireLock(file);
    acquireLock(file.replace('a-run', 'a-run-2'));
    acquireLock(file.replace('a-run', 'a'));
    expect(filesBeside(file)).toEqual(['a-run-2.lock-1', 'a-run.lock-1', 'a.lock-1']);
  });

  it('is the same by whatever link the journal is reached', () => {
    const file = journalPlace();
    writeFileSync(file, '');
    const link = path.join(scratchFolder(), 'link.jsonl');
    symlinkSync(file, link);
    acquireLock(link);
    expect(() => acquireLock(file)).toThrow(JournalHeld);
  });

  it('that cannot be made is a failure of the journal, with the reason', () => {
    const file = path.join(scratchFolder(), 'nowhere', 'a-run.jsonl');
    const acquire = () => acquireLock(file);
    expect(acquire).toThrow(JournalError);
    expect(acquire).toThrow(`could not lock the journal ${file}: there is no such file`);
  });
});

describe('a holder that is dead is replaced at once', () => {
  it.each([
    ['its pid belongs to a process that started at another time', DEAD],
    ['the machine was restarted since', { bootId: 'an-earlier-boot' }],
    ['the machine was restarted since, and pids mean other things', { bootId: 'b', pidNamespace: 'pid:[1]' }],
    ['there is no such process', { pid: 2 ** 31 - 1 }],
    ['there is no such process, though the host was renamed', { pid: 2 ** 31 - 1, host: 'earlier-name' }],
  ])('%s', (_, changes) => {
    const file = journalPlace();
    writeLock(file, changes, 7);
    expect(holderOf(file)).toBeUndefined();
    acquireLock(file);
    expect(filesBeside(file)).toEqual([CLEARED]);
    expect(holderOf(file)).toMatchObject(thisHolder());
  });

  it.each([
    ['empty', ''],
    ['zeros', '\0'.repeat(200)],
    ['half a record', '{"pid":1,"start'],
    ['no JSON', 'held, I swear'],
    ['JSON of another kind', '[]'],
    ['null', 'null'],
    ['a pid that means a group', '{"pid":-1}'],
    ['a pid that means everybody', '{"pid":0}'],
    ['a pid that would be cut to another', `{"pid":${2 ** 32 + 1}}`],
    ['a pid in words', '{"pid":"1"}'],
  ])('a lock file that says nothing bricks no run: %s', (_, content) => {
    const file = journalPlace();
    writeFileSync(lockPath(file), content);
    expect(holderOf(file)).toBeUndefined();
    acquireLock(file).release();
    expect(filesBeside(file)).toEqual([]);
  });

  it('with all that takeovers cut short have left: locks and drafts', () => {
    const file = journalPlace();
    writeLock(file, DEAD, 1);
    writeLock(file, DEAD, 2);
    writeLock(file, DEAD, 10);
    writeFileSync(lockPath(file, 'draft-1'), '');
    writeFileSync(lockPath(file, 'draft-2'), JSON.stringify(thisProcess(0)));
    acquireLock(file);
    expect(filesBeside(file)).toEqual([CLEARED]);
  });

  it('and files that are no locks of this run stay', () => {
    const file = journalPlace();
    const names = ['a-run.lock-', 'a-run.lock-01', 'a-run.lock-x', 'a-run.lock-1.bak', 'b-run.lock-draft-1'];
    for (const name of names) writeFileSync(path.join(path.dirname(file), name), '');
    acquireLock(file).release();
    expect(filesBeside(file)).toEqual(names.sort());
  });
});

describe('a holder that cannot be judged from here counts as alive', () => {
  it.each([
    ['on another host', { bootId: 'its-own-boot', host: 'another-host' }],
    [
      'in another pid namespace, such as a container of this machine',
      { pidNamespace: 'pid:[1]', pid: 2 ** 31 - 1 },
    ],
    ['that does not say when it started', { startTime: null }],
  ])('%s, and the message says which file to remove', (_, changes) => {
    const file = journalPlace();
    writeLock(file, changes, 3);
    const acquire = () => acquireLock(file);
    expect(acquire).toThrow(JournalHeld);
    expect(acquire).toThrow(/^the run a-run is held by process \d+ \(since 1970-01-01T00:00:00.000Z\) on "/);
    expect(acquire).toThrow(
      `which cannot be checked from here; if that process is gone, remove ${lockPath(file, 3)}`,
    );
    rmSync(lockPath(file, 3));
    acquireLock(file);
  });

  it('even below a dead one of a higher number', () => {
    const file = journalPlace();
    writeLock(file, { bootId: 'its-own-boot', host: 'another-host' }, 1);
    writeLock(file, DEAD, 4);
    expect(() => acquireLock(file)).toThrow('on "another-host"');
    expect(filesBeside(file)).toEqual(['a-run.lock-1', 'a-run.lock-4']);
  });

  it('and one that says nothing but its pid is not said to be anywhere', () => {
    const file = journalPlace();
    writeFileSync(lockPath(file), '{"pid":1}');
    expect(() => acquireLock(file)).toThrow(
      `the run a-run is held by process 1, which cannot be checked from here; if that process is gone, remove ${lockPath(file)}`,
    );
  });

  it('and what it calls itself cannot write on a terminal', () => {
    const file = journalPlace();
    writeLock(file, { bootId: 'b', host: 'x\u001b[2Jy', since: '\u001b[2J' });
    expect(() => acquireLock(file)).toThrow(
      `the run a-run is held by process ${process.pid} on "x\\u001b[2Jy", which`,
    );
  });
});

describe('what no pawl makes, under the name of a lock file, is left alone and named with what to do', () => {
  it.each<readonly [string, (lock: string) => void, string]>([
    ['a pipe, which nobody waits for', (lock) => execFileSync('mkfifo', [lock]), 'it is no regular file'],
    ['a folder', (lock) => mkdirSync(lock), 'it is no regular file'],
    ['a dangling link', (lock) => symlinkSync('/nowhere/at/all', lock), 'it is a link'],
    ['a link to a device', (lock) => symlinkSync('/dev/zero', lock), 'it is a link'],
  ])('%s', (_, make, reason) => {
    const file = journalPlace();
    make(lockPath(file));
    const told = new JournalError(
      `the lock file ${lockPath(file)} cannot be used: ${reason}. If no process has this run, remove it`,
    );
    expect(() => acquireLock(file)).toThrow(told);
    expect(() => holderOf(file)).toThrow(told);
    expect(filesBeside(file)).toEqual(['a-run.lock-1']);
    rmSync(lockPath(file), { recursive: true });
    acquireLock(file);
  });

  it('a folder under the name of a draft', () => {
    const file = journalPlace();
    mkdirSync(lockPath(file, 'draft-1'));
    expect(() => acquireLock(file)).toThrow(
      `the lock file ${lockPath(file, 'draft-1')} cannot be used: it is a folder`,
    );
  });

  it('a lock that is larger than one can be says nothing', () => {
    const file = journalPlace();
    writeFileSync(lockPath(file), `${' '.repeat(5_000)}{"pid":1}`);
    acquireLock(file);
  });
});

describe('where there is no /proc', () => {
  const here = { ...thisProcess(0), startTime: null, bootId: null, pidNamespace: null };

  it('a process that does not exist is dead', () => {
    expect(standingOf({ ...here, pid: 2 ** 31 - 1 }, here)).toBe('dead');
  });

  it('one that exists may be another of the same pid, and is not taken for dead', () => {
    expect(standingOf(here, here)).toBe('unknown');
    expect(standingOf({ ...here, pid: 1 }, here)).toBe('unknown');
  });

  it('one of another host, or of a system that has a /proc, cannot be judged', () => {
    expect(standingOf({ ...here, pid: 2 ** 31 - 1, host: 'another' }, here)).toBe('unknown');
    expect(standingOf({ ...thisProcess(0), pid: 2 ** 31 - 1 }, here)).toBe('unknown');
  });
});

describe('a process', () => {
  it('is known by its start time even if its name looks like the end of a field', () => {
    const program = path.join(scratchFolder(), 'a) Z 1 (b');
    symlinkSync('/bin/sleep', program);
    const script = '"$0" 30 >/dev/null 2>&1 & echo $!';
    const pid = Number(execFileSync('bash', ['-c', script, program], { encoding: 'utf8' }));
    try {
      const started = { ...thisProcess(0), pid, startTime: '1' };
      expect(standingOf(started, thisProcess(0))).toBe('dead');
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, '').split(' ');
      expect(standingOf({ ...started, startTime: stat[20] ?? '' }, thisProcess(0))).toBe('alive');
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('may say more of itself than this version reads', () => {
    expect(parseHolder('{"pid":7,"color":"red"}')).toEqual({
      pid: 7,
      startTime: null,
      bootId: null,
      pidNamespace: null,
      host: '',
      since: null,
    });
  });
});

describe('a reader', () => {
  it('is told who holds the journal, and changes nothing', () => {
    const file = journalPlace();
    expect(holderOf(file)).toBeUndefined();
    writeLock(file, DEAD, 1);
    writeFileSync(lockPath(file, 'draft-1'), '');
    expect(holderOf(file)).toBeUndefined();
    writeLock(file, {}, 2);
    expect(holderOf(file)).toEqual(holderIn(file, 2));
    expect(filesBeside(file)).toEqual(['a-run.lock-1', 'a-run.lock-2', 'a-run.lock-draft-1']);
  });

  it('finds nobody where there is no folder', () => {
    const folder = path.join(scratchFolder(), 'runs');
    expect(holderOf(path.join(folder, 'a-run.jsonl'))).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });

  it('is told which file to remove where it lies in the place of a lock', () => {
    const file = journalPlace();
    mkdirSync(lockPath(file));
    expect(() => holderOf(file)).toThrow(JournalError);
  });
});

function thisHolder() {
  const { since: _, ...holder } = thisProcess(0);
  return holder;
}
