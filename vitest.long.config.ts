import { defineConfig } from 'vitest/config';

/** Tests that need the network or minutes: run by .ci/run, not by npm test. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    maxWorkers: '100%',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/helpers/build.ts'],
  },
});
