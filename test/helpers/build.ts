import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { buildPrograms, PAWL } from './programs.ts';

/** Process tests run what people run: the bundle. It is built before the first test, whoever starts the tests. */
export default async function build(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await buildPrograms();
  link();
}

/** By the name under which people have it: what they are told to type next says how they have called it. */
function link(): void {
  mkdirSync(path.dirname(PAWL), { recursive: true });
  rmSync(PAWL, { force: true });
  symlinkSync(path.resolve(import.meta.dirname, '../../dist/cli.js'), PAWL);
}
