/**
 * The name of an empty folder that says: a call of this process has something mounted on the folder around. The process is
 * in the name, so that what a killed one has left is known as that later.
 */
import { randomUUID } from 'node:crypto';
import { type Holder, standingOf, thisProcess } from './holder.ts';

export interface Sign {
  /** How many folders were made for the calls here: the one around, the one around that, and so on. */
  readonly made: number;
  readonly isOfDead: boolean;
}

const START = '.mounted-';
const NAMED = /^\.mounted-(\d{1,2})-(\d+)-(\d+)-([0-9a-f]{32})-(\d+)-[0-9a-f-]{36}-(.*)$/s;
const NAMESPACE = /^pid:\[(\d+)\]$/;

export function signOf(made: number, maker: Holder = thisProcess(0)): string {
  const { pid, startTime, bootId, pidNamespace, host } = maker;
  const [, namespace] = NAMESPACE.exec(pidNamespace ?? '') ?? [];
  const boot = bootId?.replaceAll('-', '');
  // A name has room for 255 bytes.
  return `${START}${made}-${pid}-${startTime}-${boot}-${namespace}-${randomUUID()}-${encodeURIComponent(host).slice(0, 96)}`;
}

/** @returns undefined for what is no sign. A sign that does not name its process is kept, like that of a living one. */
export function readSign(name: string): Sign | undefined {
  if (!name.startsWith(START)) return undefined;
  const [, made, pid, startTime = '', boot = '', namespace, host = ''] = NAMED.exec(name) ?? [];
  if (made === undefined) return { made: 0, isOfDead: false };
  const here = thisProcess(0);
  const maker: Holder = {
    pid: Number(pid),
    startTime,
    bootId: boot.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'),
    pidNamespace: `pid:[${namespace}]`,
    host: encodeURIComponent(here.host).slice(0, 96) === host ? here.host : '',
    since: null,
  };
  return { made: Number(made), isOfDead: standingOf(maker, here) === 'dead' };
}
