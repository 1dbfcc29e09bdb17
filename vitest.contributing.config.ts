import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/contributing/**/*.test.ts'],
    globalSetup: ['tests/support/build-once.ts'],
    reporters: ['verbose', './tests/support/plain-summary.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
