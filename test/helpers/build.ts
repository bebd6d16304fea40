import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { buildPrograms } from './programs.ts';

/** Process tests run what people run: the bundle. It is built before the first test, whoever starts the tests. */
export default async function build(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await buildPrograms();
}
