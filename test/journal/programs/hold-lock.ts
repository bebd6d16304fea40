/** Takes a lock, says its pid and stays: idle, or with its event loop blocked. */
import { acquireLock } from '../../../src/journal/lock.ts';

const [file = '', manner] = process.argv.slice(2);
acquireLock(file);
process.stdout.write(`${process.pid}\n`, () => {
  if (manner === 'blocked') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  setInterval(() => {}, 60_000);
});
