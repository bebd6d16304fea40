import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Real path of a new folder that is removed when the test is over. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'pawl-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
