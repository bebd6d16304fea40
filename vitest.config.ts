import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['machines/**/*.ts'],
      thresholds: { branches: 100, lines: 100, functions: 100, statements: 100 },
    },
  },
});
