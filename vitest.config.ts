import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** A folder for counts that a program reads. The machines are tested apart: only there is coverage measured, which slows. */
const reports = process.env.TEST_REPORTS;
const part = process.argv.includes('--coverage') ? 'machines' : 'short';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'node_modules/**'],
    // What people are told to type next does not depend on how the tests were started.
    env: { npm_command: '' },
    globalSetup: ['test/helpers/build.ts'],
    // More than there are processors: many tests wait, for processes of their own or for time to pass.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters: reports ? ['default', ['json', { outputFile: `${reports}/${part}.json` }]] : ['default'],
    // Files share their processes: what they import is loaded once. They leave nothing behind that another would notice.
    isolate: false,
    // Room for a slow machine: a limit that is reached tells of one that hangs.
    testTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['machines/**/*.ts'],
      exclude: ['test/**'],
      reporter: ['text-summary'],
      thresholds: { branches: 100, lines: 100, functions: 100, statements: 100 },
    },
  },
});
