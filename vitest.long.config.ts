import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 300_000, hookTimeout: 300_000, globalSetup: ['test/helpers/build.ts'] };

/** Field cases that are about the loop, whatever runs it. */
const onAnyRunner = 'faults,files,history,huge-result,permissions,retries,stops,tools,window';

/** Tests that need the network or minutes: run by .ci/run, not by npm test. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      { test: { ...shared, name: 'long', include: ['test/long/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'restate',
          include: [`test/field/{${onAnyRunner}}.test.ts`, 'test/conformance/runners.test.ts'],
          env: { PAWL_RUNNER: 'restate' },
        },
      },
    ],
  },
});
