/** Takes locks and gives them back as it is told, at the moment it is told. */
import fs from 'node:fs';
import path from 'node:path';
import { JournalHeld } from '../../../src/journal/journal.ts';
import { acquireLock, type Lock } from '../../../src/journal/lock.ts';
import { parseHolder } from '../../../src/sandbox/holder.ts';

export type Order =
  | { readonly type: 'take'; readonly file: string; readonly at: number }
  | { readonly type: 'release' }
  | { readonly type: 'churn'; readonly file: string; readonly times: number };

let lock: Lock | undefined;

function take(file: string): Lock | undefined {
  try {
    return acquireLock(file);
  } catch (error) {
    if (error instanceof JournalHeld) return undefined;
    throw error;
  }
}

/** What its own lock file looks like once it is dead: the file stays, its process is no more. */
function leaveAsDead(file: string): void {
  const folder = path.dirname(file);
  for (const name of fs.readdirSync(folder).filter((name) => /\.lock-\d+$/.test(name))) {
    const lockFile = path.join(folder, name);
    const holder = parseHolder(contentOf(lockFile));
    if (holder?.pid !== process.pid || holder.startTime === '1') continue;
    fs.writeFileSync(lockFile, JSON.stringify({ ...holder, startTime: '1' }));
  }
}

/** Claims of others come and go. */
function contentOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Takes and leaves the lock as fast as it can. Whoever holds it makes a file that must not be there yet.
 * @returns how often it was there
 */
function churn(file: string, times: number): number {
  const inside = `${file}.inside`;
  let met = 0;
  for (let taken = 0; taken < times; ) {
    const held = take(file);
    if (held === undefined) continue;
    taken += 1;
    try {
      fs.closeSync(fs.openSync(inside, 'wx'));
      fs.rmSync(inside);
    } catch {
      met += 1;
    }
    if (taken % 3 === 0) leaveAsDead(file);
    else held.release();
  }
  return met;
}

function obey(order: Order): unknown {
  switch (order.type) {
    case 'take':
      while (Date.now() < order.at);
      lock = take(order.file);
      return lock !== undefined;
    case 'release':
      lock?.release();
      lock = undefined;
      return true;
    case 'churn':
      return churn(order.file, order.times);
  }
}

process.on('message', (order: Order) => process.send?.(obey(order)));
process.send?.('ready');
