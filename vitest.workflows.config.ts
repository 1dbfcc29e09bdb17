import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/workflows/**/*.test.ts'],
    globalSetup: ['tests/support/build-once.ts'],
    reporters: ['verbose', './tests/support/plain-summary.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
