/** Whether this machine has a bwrap that works, found out without pawl: where it has, a test that fails is a failure. */
import { spawnSync } from 'node:child_process';

const { error, status, stderr } = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true'], {
  encoding: 'utf8',
});

export const hasBubblewrap = status === 0;

if (!hasBubblewrap)
  console.log(`nothing is tried in a sandbox here: ${error?.message ?? `bwrap says: ${stderr.trim()}`}`);
