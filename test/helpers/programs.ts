/**
 * Programs of the tests that need a process of their own (test/ROOM/programs/NAME.ts). They are translated once, before
 * the first test: a process that translates what it runs starts ten times as slowly.
 */
import path from 'node:path';
import { build } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Below the packages, so that theirs are found. */
const BUILT = path.join(ROOT, 'node_modules/.cache/pawl-tests');

/** The command. */
export const PAWL = path.join(BUILT, 'bin/pawl');

/** @param name ROOM/NAME */
export const programFile = (name: string): string =>
  path.join(BUILT, path.dirname(name), 'programs', `${path.basename(name)}.mjs`);

export async function buildPrograms(): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['./test/**/programs/*.ts'],
    outdir: BUILT,
    outbase: 'test',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.12',
    logLevel: 'warning',
  });
}
