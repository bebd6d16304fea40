import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Holder, thisProcess } from '../../src/sandbox/holder.ts';
import { enterMountPoint } from '../../src/sandbox/mount-point.ts';
import { readSign, signOf } from '../../src/sandbox/mount-sign.ts';
import { isMounted, removeEmpty } from '../../src/sandbox/mounted.ts';
import { folder } from './support.ts';

const here = thisProcess(0);
/** A process that had this one's number before it. */
const dead: Holder = { ...here, startTime: '1' };
const unsure: Holder = { ...here, pidNamespace: 'pid:[1]' };

let workspace = '';
let own = '';
beforeEach(async () => {
  workspace = await folder();
  own = path.join(workspace, '.pawl');
});

/** As a process leaves it that is killed in a call. @param made how many folders it says to have made */
function leftBy(maker: Holder, at: string, made = 1): string {
  const sign = path.join(at, signOf(made, maker));
  mkdirSync(sign, { recursive: true });
  return sign;
}

const call = (at = own) => enterMountPoint(at, workspace)?.leave();

describe.runIf(process.platform === 'linux')('the sign of a call', () => {
  it('says whether its process is dead, also where another one has its number by now', () => {
    expect(readSign(signOf(2, here))).toEqual({ made: 2, isOfDead: false });
    expect(readSign(signOf(2, dead))).toEqual({ made: 2, isOfDead: true });
    expect(readSign(signOf(1, { ...here, pid: 2 ** 30 }))).toEqual({ made: 1, isOfDead: true });
  });

  it('of before a restart is of a dead process, if the machine is the same', () => {
    const bootId = '00000000-0000-0000-0000-000000000000';
    expect(readSign(signOf(1, { ...here, bootId }))?.isOfDead).toBe(true);
    expect(readSign(signOf(1, { ...here, bootId, host: 'elsewhere' }))?.isOfDead).toBe(false);
  });

  it('of a process that cannot be seen from here, or that it does not name, counts as a living one', () => {
    expect(readSign(signOf(1, unsure))?.isOfDead).toBe(false);
    for (const name of ['.mounted-', '.mounted-9223ea64', signOf(1, { ...dead, bootId: null })])
      expect(readSign(name)).toEqual({ made: 0, isOfDead: false });
    expect(readSign('results')).toBeUndefined();
  });

  it('fits into a name, whatever the machine is called', () => {
    const host = '☃/..\n'.repeat(20);
    const name = signOf(10, { ...here, host, pid: 4_194_304, startTime: '9'.repeat(12) });
    expect(name.length).toBeLessThan(255);
    expect(path.basename(name)).toBe(name);
  });
});

describe.runIf(process.platform === 'linux')('what a killed process has left in a folder', () => {
  it('goes with the next call, and so do the folders that were made for it', () => {
    leftBy(dead, own);
    leftBy(dead, own);
    call();
    expect(readdirSync(workspace)).toEqual([]);
    const state = path.join(workspace, 'deep/state');
    leftBy(dead, state, 2);
    call(state);
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('goes from a folder that a person has made, or put something into, and that folder stays', () => {
    leftBy(dead, own, 0);
    call();
    expect(readdirSync(own)).toEqual([]);
    leftBy(dead, own);
    writeFileSync(path.join(own, 'settings.json'), '{}');
    call();
    expect(readdirSync(own)).toEqual(['settings.json']);
  });

  it('takes nothing along that a living process needs, or one that cannot be judged', () => {
    const kept = [leftBy(here, own), leftBy(unsure, own), path.join(own, '.mounted-of-another-version')];
    mkdirSync(kept[2] as string);
    leftBy(dead, own);
    call();
    expect(readdirSync(own).sort()).toEqual(kept.map((one) => path.basename(one)).sort());
  });

  it('stays where it has content, or is no folder: it is not of pawl then', () => {
    const full = leftBy(dead, own);
    writeFileSync(path.join(full, 'a'), '');
    const file = path.join(own, signOf(1, dead));
    writeFileSync(file, 'kept');
    const link = path.join(own, signOf(1, dead));
    const target = path.join(workspace, 'empty');
    mkdirSync(target);
    symlinkSync(target, link);
    call();
    for (const each of [path.join(full, 'a'), file, link, target]) expect(existsSync(each)).toBe(true);
  });

  it('is never removed through a link that was put in the place of a folder', async () => {
    const outside = await folder();
    const sign = leftBy(dead, path.join(outside, 'state'));
    symlinkSync(outside, path.join(workspace, 'deep'));
    call(path.join(workspace, 'deep/state'));
    expect(existsSync(sign)).toBe(true);
    expect(removeEmpty(path.join(workspace, 'deep/state', path.basename(sign)))).toBe(false);
  });

  it('says nothing about the workspace itself, or what is around it, however much it claims', () => {
    const inner = path.join(workspace, 'a/b');
    leftBy(dead, path.join(inner, '.pawl'), 99);
    enterMountPoint(path.join(inner, '.pawl'), inner)?.leave();
    expect(readdirSync(path.join(workspace, 'a'))).toEqual(['b']);
    expect(readdirSync(inner)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('a call', () => {
  it('leaves the folder to the others that need it, and a person his own, in whatever order they end', () => {
    const first = enterMountPoint(own, workspace);
    const second = enterMountPoint(own, workspace);
    first?.leave();
    expect(readdirSync(own)).toHaveLength(1);
    second?.leave();
    expect(existsSync(own)).toBe(false);
    mkdirSync(own);
    const calls = [enterMountPoint(own, workspace), enterMountPoint(own, workspace)];
    for (const each of calls) each?.leave();
    expect(readdirSync(own)).toEqual([]);
  });

  it('whose folder was exchanged for a link meanwhile removes nothing behind that', async () => {
    const outside = await folder();
    mkdirSync(path.join(outside, 'state'));
    const deep = path.join(workspace, 'deep');
    const point = enterMountPoint(path.join(deep, 'state'), workspace);
    renameSync(deep, path.join(workspace, 'moved'));
    symlinkSync(outside, deep);
    point?.leave();
    expect(readdirSync(outside)).toEqual(['state']);
  });
});

it.runIf(process.platform === 'linux')(
  'a folder is mounted where a process has something mounted on it',
  () => {
    expect(isMounted('/proc')).toBe(true);
    expect(isMounted(workspace)).toBe(false);
  },
);
