import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'node_modules/**'],
    globalSetup: ['test/helpers/build.ts'],
    // All processors: many tests wait for processes of their own.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['machines/**/*.ts'],
      exclude: ['test/**'],
      reporter: ['text-summary'],
      thresholds: { branches: 100, lines: 100, functions: 100, statements: 100 },
    },
  },
});
